// The visual editor and the raw schema are two views of one document. Many schemas, made from a seed, go through every operation: what
// an operation is not about stays as it was, to the letter.
import { describe, expect, test } from "vitest";

import { isObject, isSame, type Doc } from "../doc/json";
import { ownKeywords, restOf, withRest } from "./keywords";
import { addField, freeKey, keysOf, moveField, propertiesOf, putField, removeField, renameField, requiredOf, setRequired } from "./members";
import { optionsOf, withOptions } from "./options";
import { fresh, reshaped } from "./reshape";
import { anySchema, random, type Random } from "./schemas.testing";
import { DISPLAYS, FIELD_TYPES, shapeOf, type Display, type FieldType, type Shape } from "./shape";

const MANY = 400;
const seeds = Array.from({ length: MANY }, (_, index) => index + 1);
const SHAPES: Shape[] = FIELD_TYPES.flatMap((type) => DISPLAYS[type].map((display) => ({ type, display })));

const each = (check: (schema: Doc, next: Random) => void) => {
  for (const seed of seeds) {
    const next = random(seed);
    const schema = anySchema(next);
    const before = JSON.stringify(schema);
    check(schema, next);
    expect(JSON.stringify(schema), `seed ${seed}: an operation changed what it was given`).toBe(before);
  }
};

/** Every object in a schema that has fields, itself first. */
function objectsIn(schema: unknown): Doc[] {
  if (!isObject(schema)) return [];
  const inner = [...Object.values(propertiesOf(schema)), schema["items"]].flatMap(objectsIn);
  return isObject(schema["properties"]) ? [schema, ...inner] : inner;
}

function fieldsIn(schema: unknown): Doc[] {
  if (!isObject(schema)) return [];
  return [schema, ...[...Object.values(propertiesOf(schema)), schema["items"]].flatMap(fieldsIn)];
}

describe("reading", () => {
  test("what the controls show and what they do not are together the whole schema", () => {
    let raw = 0;
    let shown = 0;
    each((schema) => {
      for (const field of fieldsIn(schema)) {
        const shape = shapeOf(field);
        if (!shape) {
          raw += 1;
          continue;
        }
        shown += 1;
        const rest = restOf(field, shape);
        expect(withRest(field, shape, rest)).toEqual(field);
        for (const key of Object.keys(rest)) if (!["x-field", "items"].includes(key)) expect(ownKeywords(shape)).not.toContain(key);
      }
    });
    // The generator makes enough of both for this to mean something.
    expect(raw).toBeGreaterThan(MANY / 4);
    expect(shown).toBeGreaterThan(MANY * 3);
  });

  test("all twelve types in all their displays are read as what they were made as", () => {
    expect(FIELD_TYPES).toHaveLength(12);
    for (const shape of SHAPES) expect(shapeOf(fresh(shape.type, shape.display))).toEqual(shape);
  });
});

describe("editing changes what it is about", () => {
  test("setting what is there already changes nothing", () => {
    each((schema) => {
      for (const object of objectsIn(schema)) {
        for (const key of keysOf(object)) {
          expect(putField(object, key, propertiesOf(object)[key])).toEqual(object);
          expect(setRequired(object, key, requiredOf(object).includes(key))).toBe(object);
          expect(renameField(object, key, key)).toBe(object);
        }
      }
      for (const field of fieldsIn(schema)) {
        const shape = shapeOf(field);
        if (!shape) continue;
        expect(reshaped(field, shape.type, shape.display)).toBe(field);
        if (shape.type === "enum") expect(withOptions(field, shape, optionsOf(field, shape))).toEqual(field);
      }
    });
  });

  test("there and back is where one was", () => {
    each((schema, next) => {
      for (const object of objectsIn(schema)) {
        const key = freeKey(object);
        const added = addField(object, key, fresh("text"));
        expect(propertiesOf(removeField(added, key))).toEqual(propertiesOf(object));
        expect(requiredOf(removeField(added, key))).toEqual(requiredOf(object));
        expect(keysOf(removeField(added, key))).toEqual(keysOf(object));
        const keys = keysOf(object);
        const some = keys[next(keys.length)];
        if (some === undefined) continue;
        const there = renameField(object, some, "renamed_for_now");
        expect(keysOf(renameField(there, "renamed_for_now", some))).toEqual(keys);
        expect(isSame(propertiesOf(renameField(there, "renamed_for_now", some)), propertiesOf(object))).toBe(true);
        expect(keysOf(moveField(moveField(object, some, 1), some, keys.at(-1) === some ? 1 : -1))).toEqual(keys);
      }
    });
  });

  test("a change of one field leaves all others as they were, to the letter", () => {
    each((schema, next) => {
      for (const object of objectsIn(schema)) {
        const keys = keysOf(object);
        const key = keys[next(keys.length)];
        const field = key === undefined ? undefined : propertiesOf(object)[key];
        if (key === undefined || !isObject(field)) continue;
        const target = SHAPES[next(SHAPES.length)] ?? { type: "text", display: "input" };
        const edited = [putField(object, key, reshaped(field, target.type, target.display)), moveField(object, key, 1), setRequired(object, key, next(2) === 0), removeField(object, key)];
        for (const made of edited) {
          for (const other of keys.filter((one) => one !== key)) {
            expect(JSON.stringify(propertiesOf(made)[other])).toBe(JSON.stringify(propertiesOf(object)[other]));
            expect(requiredOf(made).includes(other)).toBe(requiredOf(object).includes(other));
          }
          const untouched = (doc: Doc) => Object.entries(doc).filter(([name]) => !["properties", "required", "x-field-order"].includes(name));
          expect(untouched(made)).toEqual(untouched(object));
        }
      }
    });
  });

  test("a field of any shape can become any other, and keeps what people wrote of it", () => {
    each((schema, next) => {
      for (const field of fieldsIn(schema).slice(0, 6)) {
        const { type, display } = SHAPES[next(SHAPES.length)] as { type: FieldType; display: Display };
        const made = reshaped(field, type, display);
        expect(shapeOf(made), JSON.stringify({ field, type, display, made })).toEqual({ type, display });
        expect(made["title"]).toBe(field["title"]);
        expect(made["description"]).toBe(field["description"]);
      }
    });
  });
});

test("the order is written down only where it is not that of the alphabet", () => {
  const made = addField(addField({ type: "object" }, "b", { type: "string" }), "a", { type: "string" });
  expect(keysOf(made)).toEqual(["b", "a"]);
  expect(made["x-field-order"]).toEqual(["b", "a"]);
  expect(moveField(made, "a", -1)["x-field-order"]).toBeUndefined();
});
