import { expect, test } from "vitest";

import type { McpTool } from "../queries";
import { byUrgency, plainNew, waits } from "./order";
import { parametersOf } from "./parameters";
import { sidesOf } from "./sides";

const tool = (name: string, more: Partial<McpTool>): McpTool => ({ name, tool: name, state: "new", changes: [], egress_class: "write", class_below_hints: false, risk: "low", enabled: true, pending: { digest: "d", seen_at: "", definition: { name, input_schema: {} } } as never, ...more });
const danger = { severity: "danger", kind: "became_destructive", message: "" } as const;

test("what changed comes before what is new, danger before the rest, and what was rejected last", () => {
  const rejected = { digest: "d", seen_at: "", definition: { name: "r", input_schema: {} }, rejected_by: "usr_1" } as never;
  const all = [tool("a", {}), tool("r", { state: "quarantined", pending: rejected }), tool("b", { state: "quarantined" }), tool("c", { state: "quarantined", changes: [danger] })];
  expect(all.sort(byUrgency).map(({ name }) => name)).toEqual(["c", "b", "a", "r"]);
});

test("only new tools without a warning are accepted together", () => {
  expect([tool("a", {}), tool("b", { changes: [danger] }), tool("c", { state: "quarantined" })].filter(plainNew).map(({ name }) => name)).toEqual(["a"]);
  expect(waits(tool("gone", { state: "gone", pending: null }))).toBe(false);
});

test("a schema that makes no sense has no parameters", () => {
  expect(parametersOf(null)).toEqual([]);
  expect(parametersOf({ properties: 7 })).toEqual([]);
  expect(parametersOf({ properties: { to: { type: ["string", "null"], description: "Whom" }, odd: true }, required: ["to"] })).toEqual([
    { name: "to", type: "string | null", isRequired: true, description: "Whom" },
    { name: "odd", type: "", isRequired: false, description: "" },
  ]);
});

test("a difference that the server made is two texts again", () => {
  expect(sidesOf(" one\n-two\n+three\n+four\n")).toEqual({ before: "one\ntwo", after: "one\nthree\nfour" });
});
