/** Without letters and digits that are mistaken for each other when somebody reads them out. */
const LETTERS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789";
const GROUPS = 4;
const GROUP_CHARS = 5;

/** Twenty random characters in groups, from the browser's source of randomness: more than 110 bits. */
export function newPassword(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => crypto.getRandomValues(bytes)): string {
  const groups: string[] = [];
  while (groups.length < GROUPS) groups.push(letters(GROUP_CHARS, random));
  return groups.join("-");
}

function letters(count: number, random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  let text = "";
  while (text.length < count) {
    // A byte beyond the last whole alphabet would favour the first letters.
    const usable = [...random(new Uint8Array(count))].filter((byte) => byte < 256 - (256 % LETTERS.length));
    text += usable.map((byte) => LETTERS[byte % LETTERS.length]).join("");
  }
  return text.slice(0, count);
}
