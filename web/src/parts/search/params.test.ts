import { expect, test } from "vitest";

import { among, compact, text } from "./params";

test("digits in an address are a text, and nothing is longer than anybody types", () => {
  expect([text("mail "), text(42), text(""), text(true), text(undefined)]).toEqual(["mail ", "42", undefined, undefined, undefined]);
  expect(text("x".repeat(1_000))).toHaveLength(200);
});

test("a word that the page does not know is none", () => {
  expect([among(["grid", "table"], "table"), among(["grid", "table"], "list"), among(["grid"], 1)]).toEqual(["table", undefined, undefined]);
});

test("what is empty does not stand in the address", () => {
  expect(compact({ search: "", status: undefined, step: 0, create: false })).toEqual({ step: 0, create: false });
});
