import { expect, test } from "vitest";

import { meant, objectOf, pairsOf, spelled, stillMeans } from "./spelling";

test("every value survives being written down and read again", () => {
  for (const value of ["plain", "$input.status", "", "10", "true", '"quoted"', "{not json", 10, -1.5, true, null, [1, "a"], { a: { b: 1 } }]) {
    expect(meant(spelled(value)), spelled(value)).toEqual(value);
  }
});

test("rows without a name are not there yet", () => {
  expect(objectOf([{ name: "", text: "x" }])).toBeUndefined();
  expect(objectOf([{ name: "limit", text: "10" }, { name: "", text: "" }])).toEqual({ limit: 10 });
  expect(stillMeans([{ name: "a", text: "1" }, { name: "", text: "" }], { a: 1 })).toBe(true);
  expect(pairsOf({ a: "1" })).toEqual([{ name: "a", text: '"1"' }]);
});
