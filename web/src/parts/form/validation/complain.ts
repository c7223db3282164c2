import { pointerOf } from "../../json/pointer";
import { isObject } from "../../json/values";
import { compile, type Compiled, type Schema } from "./compile";
import { KEYWORDS } from "./keywords";
import { cut } from "./spelling";

/** What the server says of an input that does not fit: where (a JSON Pointer), and what. */
export interface Complaint {
  path: string;
  message: string;
}

/** One value under one schema. */
export interface Place {
  compiled: Compiled;
  schema: Schema;
  instance: unknown;
  path: string;
  found: Complaint[];
}

/** The server's own bounds: how many complaints an answer has, and how long each may be. */
const MAX_COMPLAINTS = 20;
const MAX_COMPLAINT_CHARS = 300;
/** Schemas nest at most 48 deep; references can go round. */
const MAX_DEPTH = 200;

/** The complaints of the server about `instance`, word for word. None means that it fits. */
export function complaints(schema: unknown, instance: unknown): Complaint[] {
  const compiled = compile(schema);
  const found: Complaint[] = [];
  walk({ compiled, instance, path: "", found }, compiled.root);
  return found.slice(0, MAX_COMPLAINTS).map(({ path, message }) => ({ path, message: cut(message, MAX_COMPLAINT_CHARS) }));
}

/** Holds a value against one schema, keyword by keyword, in the order in which the server does. */
function walk(place: Omit<Place, "schema">, schema: unknown, depth = 0): void {
  if (place.found.length >= MAX_COMPLAINTS || depth > MAX_DEPTH) return;
  if (schema === false) complain(place, KEYWORDS.falseSchema(place.instance));
  if (!isObject(schema)) return;
  const here: Place = { ...place, schema };
  const descend = (inner: unknown, instance: unknown, step?: string | number) => {
    const path = step === undefined ? place.path : place.path + pointerOf([step]);
    walk({ ...place, instance, path }, inner, depth + 1);
  };
  if (place.compiled.draft === "7" && schema["$ref"] !== undefined) {
    descend(target(here), place.instance);
    return;
  }
  for (const [keyword, check] of KEYWORDS.ordered) {
    if (schema[keyword] === undefined) continue;
    check(here, schema[keyword], descend, (message) => complain(here, message));
  }
  if (schema["$ref"] !== undefined) descend(target(here), place.instance);
}

export type Descend = (schema: unknown, instance: unknown, step?: string | number) => void;
export type Complain = (message: string) => void;

function complain(place: Omit<Place, "schema">, message: string): void {
  if (place.found.length < MAX_COMPLAINTS) place.found.push({ path: place.path, message });
}

/** What a reference leads to. One that leads nowhere was refused where the tool was registered. */
function target({ schema, compiled }: Place): unknown {
  const uri = (schema as { __absolute_ref__?: string }).__absolute_ref__ ?? String(schema["$ref"]);
  return compiled.lookup[uri] ?? true;
}
