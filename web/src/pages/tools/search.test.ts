import { expect, test } from "vitest";

import { countFilters, parseSearch, toQuery } from "./search";

test("what the address says in words of ours is kept, the rest is left out", () => {
  expect(parseSearch({ search: "mail", egress: "write", view: "table", origin: "nowhere", state: 7, kind: "" })).toEqual({ search: "mail", egress: "write", view: "table" });
  expect(parseSearch({ search: 42 })).toEqual({ search: "42" });
});

test("without a state the library shows what can be called, deprecated tools among them", () => {
  expect(toQuery({ search: "mail", egress: "read_only" })).toEqual({ search: "mail", egress_class: "read_only", include_deprecated: true });
  expect(toQuery({ state: "blocked" })).toEqual({ lifecycle: "blocked" });
});

test("the words searched for are no filter", () => {
  expect(countFilters({ search: "mail", kind: "http", state: "active" })).toBe(2);
});
