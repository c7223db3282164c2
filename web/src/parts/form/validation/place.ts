import { stepsOf } from "../../json/pointer";
import { isObject } from "../../json/values";
import type { Complaint } from "./complain";

const MISSING = /^("(?:[^"\\]|\\.)*") is a required property$/;

/** The steps to the field that a complaint is about. What is missing is shown where it would stand. */
export function fieldOf({ path, message }: Complaint): string[] {
  const steps = stepsOf(path);
  const missing = MISSING.exec(message)?.[1];
  return missing === undefined ? steps : [...steps, JSON.parse(missing) as string];
}

/** The id of the element of a field, as the schema-form library makes it. */
export function idOf(steps: string[], prefix: string): string {
  return [prefix, ...steps].join("_");
}

/** The complaints in an error of the server: in the problem document, in an envelope's error, or in that error's details. */
export function complaintsIn(error: unknown): Complaint[] {
  if (!isObject(error)) return [];
  const own = error["errors"];
  if (Array.isArray(own)) return own.filter(isComplaint).map(({ path, message }) => ({ path, message }));
  for (const member of ["details", "error"]) {
    const inner = complaintsIn(error[member]);
    if (inner.length > 0) return inner;
  }
  return [];
}

function isComplaint(value: unknown): value is Complaint {
  return isObject(value) && typeof value["path"] === "string" && typeof value["message"] === "string";
}
