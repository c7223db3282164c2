// What a page shows is in its address. Somebody may have typed anything there: what is not understood is left out.
//
// The router lays what `validateSearch` answers over what stands in the address. So a page names everything that it reads there, also what
// it did not understand: as nothing.

const LONGEST = 200;

/** A text; the router reads digits as a number, which are meant as the text that they are. */
export function text(value: unknown): string | undefined {
  const given = typeof value === "number" ? String(value) : value;
  return typeof given === "string" && given !== "" ? given.slice(0, LONGEST) : undefined;
}

/** One of the words that the page knows. */
export function among<const T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((one) => one === value);
}

/** Whether it is asked for. */
export function flag(value: unknown): true | undefined {
  return value === true || value === "true" || value === 1 ? true : undefined;
}

/** Without what is empty, so that the address stays short. */
export function compact<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== "")) as T;
}
