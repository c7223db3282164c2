import { describe, expect, it } from "vitest";

import { stepsOf } from "../json/pointer";
import { inputOf } from "./input";
import { complaintsIn, fieldOf, idOf } from "./validation/place";
import { errorSchemaOf, validator } from "./validation/validator";

describe("what a filled form stands for", () => {
  const schema = {
    type: "object",
    required: ["name", "note", "must"],
    $defs: { size: { type: "object", required: ["w"], properties: { w: { type: "number" } } } },
    properties: {
      name: { type: "string" },
      note: { type: ["string", "null"] },
      size: { $ref: "#/$defs/size" },
      must: { $ref: "#/$defs/size" },
      labels: { type: "object", additionalProperties: { type: "string" } },
      kind: { enum: ["a", "b"] },
      detail: { type: "string", "x-field": { visible_if: { field: "kind", equals: "b" } } },
    },
  };

  it("leaves out what was not filled in, and says null where it must and may", () => {
    expect(inputOf({ name: "x", note: undefined, size: {}, must: { w: undefined } }, schema)).toEqual({ name: "x", note: null, must: {} });
  });

  it("keeps a list or a map that somebody emptied", () => {
    expect(inputOf({ labels: {} }, schema)).toEqual({ labels: {}, note: null });
  });

  it("has no value of a field that is not shown", () => {
    expect(inputOf({ kind: "a", detail: "old" }, schema)).toEqual({ kind: "a", note: null });
    expect(inputOf({ kind: "b", detail: "new" }, schema)).toEqual({ kind: "b", detail: "new", note: null });
  });
});

describe("complaints find their fields", () => {
  it("a missing field's stands where the field is", () => {
    expect(fieldOf({ path: "/items/0", message: '"na\\"me" is a required property' })).toEqual(["items", "0", 'na"me']);
    expect(fieldOf({ path: "/a~1b/c~0d", message: "1 is not of type \"string\"" })).toEqual(["a/b", "c~d"]);
    expect(idOf(stepsOf("/items/0"), "root")).toBe("root_items_0");
  });

  it("in a problem document, in an envelope and in an error", () => {
    const found = [{ path: "/a", message: "no" }];
    for (const error of [{ details: { errors: found } }, { error: { code: "VALIDATION_ERROR", details: { errors: found } } }, { errors: found }]) {
      expect(complaintsIn(error)).toEqual(found);
    }
    expect(complaintsIn({ error: { code: "TIMEOUT", details: null } })).toEqual([]);
  });

  it("are kept beside the fields", () => {
    expect(errorSchemaOf([{ path: "", message: '"a" is a required property' }, { path: "/b/0", message: "no" }])).toEqual({
      a: { __errors: ['"a" is a required property'] },
      b: { 0: { __errors: ["no"] } },
    });
  });
});

describe("the schema-form library's validator", () => {
  it("resolves the references of a part in the whole", () => {
    const root = { $defs: { t: { type: "string" as const } }, type: "object" as const };
    const part = { type: "object" as const, properties: { a: { $ref: "#/$defs/t" } } };
    expect(validator.isValid(part, { a: "x" }, root)).toBe(true);
    expect(validator.isValid(part, { a: 1 }, root)).toBe(false);
    expect(validator.isValid(part, { a: undefined }, root)).toBe(true);
  });
});
