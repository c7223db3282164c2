// What the stories of agents begin with.
import type { Locator, Page } from "@playwright/test";

import type { House } from "../harness/house";

const LETTER = {
  egress_class: "write",
  category: "mail",
  description: "Sends a letter to somebody outside",
  input_schema: { type: "object", properties: { to: { type: "string" }, text: { type: "string" } }, required: ["to", "text"] },
  execution: { kind: "builtin", handler: "render_template", arguments: { template: "{{ text }}", values: "$input" } },
};

/** An agent as one would have it: a few tools, one of which writes, under a profile. */
export async function addClerk(toolgate: House) {
  await toolgate.addTool("send_letter", LETTER);
  const clerk = await toolgate.addAgent("invoice-clerk", {
    display_name: "Invoice Clerk",
    bio: "Adds up invoices and writes to those who owe.",
    owner: (await toolgate.person("operator")).id,
    persona: "You add up what people owe. You are polite, short, and never guess a number.",
    model: "openai/gpt-4o",
    guard: { max_tool_calls: 20, max_budget: 2.5 },
  });
  for (const tool of ["calculate", "parse_csv", "send_letter"]) await toolgate.api.post(`/api/agents/${clerk.id}/assignments`, { tool });
  return clerk;
}

export const permit = (toolgate: House, id: string, tools: Record<string, string>) =>
  toolgate.api.put(`/api/agents/${id}/tools`, { tools: Object.entries(tools).map(([toolName, permissionStatus]) => ({ toolName, permissionStatus })) });

export const rowOf = (page: Page, tool: string): Locator => page.getByRole("row").filter({ has: page.getByRole("link", { name: tool, exact: true }) });
export const tiersOf = (page: Page, tool: string): Locator => page.getByRole("radiogroup", { name: `Permission of ${tool}` });
