import { expect, test } from "vitest";

import type { Agent } from "@/api/queries";

import { chosen } from "./filter";

const agent = (handle: string, more: Partial<Agent> = {}) => ({ handle, display_name: handle, status: "active", ...more }) as Agent;
const all = [agent("clerk", { bio: "Adds up invoices", workspace_id: "wsp_1" }), agent("scout", { status: "paused", model: "openai/gpt-4o" }), agent("old.scout", { status: "archived" })];
const handles = (search: Parameters<typeof chosen>[1]) => chosen(all, search).map(({ handle }) => handle);

test("words are looked for in handle, name, description and model", () => {
  expect(handles({ search: "invoi" })).toEqual(["clerk"]);
  expect(handles({ search: "openai" })).toEqual(["scout"]);
  expect(handles({ search: "nobody" })).toEqual([]);
});

test("by status and by workspace, where none is one as well", () => {
  expect(handles({ status: "paused" })).toEqual(["scout"]);
  expect(handles({ workspace: "wsp_1" })).toEqual(["clerk"]);
  expect(handles({ workspace: "none" })).toEqual(["scout", "old.scout"]);
  expect(handles({ workspace: "all" })).toHaveLength(3);
});
