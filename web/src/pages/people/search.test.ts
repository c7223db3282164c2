import { expect, test } from "vitest";

import { isFound, parsePeople } from "./search";

const kim = { name: "Kim Núñez", email: "kim.nunez@north.example", roles: ["approver"] };

test("a person is found by the beginnings of their name, address or role", () => {
  for (const asked of ["kim", "nú", "kim.nunez@north", "app", "example kim", ""]) expect([asked, isFound(kim, asked)]).toEqual([asked, true]);
  for (const asked of ["im", "kim south", "admin"]) expect([asked, isFound(kim, asked)]).toEqual([asked, false]);
});

test("what nobody understands in an address is left out", () => {
  expect(parsePeople({ search: 7, status: "asleep", person: "usr_1", else: true })).toEqual({ search: "7", person: "usr_1" });
});
