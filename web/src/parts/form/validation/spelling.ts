import { isObject } from "../../json/values";

/**
 * Values as the server spells them in its messages: compact JSON with the keys of objects in the order of their bytes, and numbers
 * in the shortest form that reads back the same.
 */
export function spelt(value: unknown): string {
  if (typeof value === "number") return speltNumber(value);
  if (Array.isArray(value)) return `[${value.map(spelt).join(",")}]`;
  if (isObject(value)) {
    const members = sortedKeys(value).map((key) => `${speltText(key)}:${spelt(value[key])}`);
    return `{${members.join(",")}}`;
  }
  return typeof value === "string" ? speltText(value) : String(value);
}

/** The server quotes a long value by its beginning, so that a message still says what is wrong with it. */
const MAX_QUOTED_CHARS = 100;

export function shown(value: unknown): string {
  return cut(spelt(value), MAX_QUOTED_CHARS);
}

/** As many whole characters as there is room for. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most).join("")}…`;
}

/** In the order of the characters' code points, which is the order of the bytes of UTF-8. */
export function sortedKeys(object: Record<string, unknown>): string[] {
  return Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort(byCodePoint);
}

function byCodePoint(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Like JSON.stringify, but a lone half of a character cannot come over the wire, so nothing is said of it. */
function speltText(text: string): string {
  return JSON.stringify(text);
}

const LARGEST_WHOLE = 2 ** 64;
const SMALLEST_WHOLE = -(2 ** 63);

function speltNumber(number: number): string {
  if (Object.is(number, -0)) return "0";
  if (Number.isInteger(number) && number < LARGEST_WHOLE && number >= SMALLEST_WHOLE) {
    return BigInt(JSON.stringify(number)).toString();
  }
  const [mantissa = "0", exponent = "0"] = number.toExponential().split("e");
  const power = Number(exponent);
  if (power >= 16 || power < -5) return `${mantissa}e${exponent}`;
  if (Number.isInteger(number)) return `${String(number)}.0`;
  return plain(mantissa, power);
}

/** Digits without an exponent. */
function plain(mantissa: string, power: number): string {
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace("-", "").replace(".", "");
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${digits}`;
  return `${sign}${digits.slice(0, power + 1)}.${digits.slice(power + 1)}`;
}
