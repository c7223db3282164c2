import { expect, test } from "vitest";

import { fits } from "./items";

test("every word asked for begins a word of the name", () => {
  expect(fits("MCP servers", "ser")).toBe(true);
  expect(fits("research_agent Research Agent", "res ag")).toBe(true);
  expect(fits("research_agent Research Agent", "research_ag")).toBe(true);
  expect(fits("MCP servers", "erv")).toBe(false);
  expect(fits("MCP servers", "mcp tools")).toBe(false);
});
