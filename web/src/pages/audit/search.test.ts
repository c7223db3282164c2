import { expect, test } from "vitest";

import { parseAuditSearch, toQuery } from "./search";

test("what somebody typed into the address is read, or left out", () => {
  expect(parseAuditSearch({ actor: "usr_1", action: "key.", target: 7, event: "aud_1", since: "2026-02-30", x: 1 })).toEqual({ actor: "usr_1", action: "key.", target: "7", event: "aud_1" });
});

test("spaces around what was pasted are not looked for", () => {
  expect(toQuery(parseAuditSearch({ target: " inv_1 " }))).toEqual({ target: "inv_1" });
});

test("an event that is open does not change what is listed", () => {
  expect(toQuery(parseAuditSearch({ action: "key.", event: "aud_1" }))).toEqual({ action: "key." });
});
