// JSON pointers: `/fields/0/a~1b` leads to the member `a/b` of the first of the fields.
import { isObject } from "./values";

export function pointerOf(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function stepsOf(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer.slice(1).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What a `$ref` into its own document leads to. */
export function referred(reference: unknown, root: Record<string, unknown>): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  return stepsOf(reference.slice(1)).reduce<unknown>((place, step) => (isObject(place) ? place[step] : undefined), root);
}
