import { expect, test } from "vitest";

import { numberText, typedNumber } from "./numbers";

test("an empty box is no number, and a comma is a decimal point", () => {
  expect([typedNumber(""), typedNumber("  "), typedNumber("0"), typedNumber(" 12,5 "), typedNumber("lots")]).toEqual([undefined, undefined, 0, 12.5, NaN]);
  expect([numberText(null), numberText(undefined), numberText(0)]).toEqual(["", "", "0"]);
});
