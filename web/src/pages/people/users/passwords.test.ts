import { expect, test } from "vitest";

import { newPassword } from "./passwords";

test("a password is long enough, easy to read out, and another one each time", () => {
  const made = Array.from({ length: 200 }, () => newPassword());
  for (const password of made) expect(password).toMatch(/^[a-hjkmnp-zA-HJKMNP-Z2-9]{5}(-[a-hjkmnp-zA-HJKMNP-Z2-9]{5}){3}$/);
  expect(new Set(made).size).toBe(made.length);
});

test("no letter is likelier than another: what would favour the first ones is drawn again", () => {
  let next = 250;
  const counting = (bytes: Uint8Array<ArrayBuffer>) => bytes.map(() => next++ % 256);
  expect(newPassword(counting)).toMatch(/^abcde/);
});
