// An agent whose model plays a script, for the stories about chat.
import { expect, type Locator, type Page } from "@playwright/test";

import type { Answer } from "../harness";

const SALES = "region,revenue\nNorth,120\nSouth,95\nEast,143\nWest,70\n";
const HOSTILE = [
  "Here is **the page**:",
  '<img src=x onerror="document.title=\'taken\'"> <script>document.title = "taken"</script>',
  "[press me](javascript:document.title='taken') ![spy](https://spy.example/pixel.png)",
].join("\n\n");

/** The model of these stories: the first rule that fits answers. */
export const RULES = [
  { after_tool: "send_letter", result_contains: "rejected", replies: [{ text: "All right, nothing was sent." }] },
  { after_tool: "send_letter", replies: [{ text: "The letter to Kim is on its way." }] },
  {
    after_tool: "sales_report",
    replies: [
      {
        deltas: ["**East** leads with 143, ", "and all four regions together made 428.\n\n", "- North and South are close\n- West needs a look"],
        usage: { input_tokens: 1480, output_tokens: 96 },
        cost_estimate: 0.0046,
      },
    ],
  },
  {
    contains: "compare the regions",
    replies: [
      {
        deltas: ["I add up the revenue ", "and read the table."],
        tool_calls: [
          { name: "calculate", arguments: { expression: "120 + 95 + 143 + 70" } },
          { name: "sales_report", arguments: { text: SALES } },
        ],
        usage: { input_tokens: 820, output_tokens: 64 },
        cost_estimate: 0.0027,
      },
    ],
  },
  { contains: "letter to Kim", replies: [{ tool_calls: [{ name: "send_letter", arguments: { template: "To kim@example.org: see you on Monday, Kim." } }] }] },
  { contains: "long story", replies: [{ deltas: ["Once upon a time ", "there was a gate."], hang: true }] },
  { contains: "hostile", replies: [{ text: HOSTILE }] },
  { contains: "guess", replies: [{ text: "My first guess is 7." }, { text: "My second guess is 9." }] },
  { contains: "fragile", replies: [{ error: { code: "PROVIDER_ERROR", message: "the provider is overloaded" } }, { text: "Now it holds." }] },
  { contains: "hank", replies: [{ text: "You are welcome." }] },
];

interface Seeded {
  api: { post: (path: string, body?: unknown) => Promise<Answer>; put: (path: string, body: unknown) => Promise<Answer> };
  addTool: (name: string, more?: Record<string, unknown>) => Promise<Answer>;
}

export async function addClerk(toolgate: Seeded): Promise<void> {
  await toolgate.addTool("sales_report", {
    description: "Reads a table of sales.",
    input_schema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
    output_sections: [{ key: "rows", label: "Sales by region", type: "table" }],
    execution: { kind: "builtin", handler: "parse_csv" },
  });
  await toolgate.addTool("send_letter", {
    egress_class: "write",
    description: "Sends a letter to somebody outside",
    input_schema: { type: "object", properties: { template: { type: "string", title: "Letter" } }, required: ["template"] },
    execution: { kind: "builtin", handler: "render_template" },
  });
  const tools = ["calculate", "sales_report", "send_letter"];
  await toolgate.api.post("/api/agents", { handle: "sales-clerk", display_name: "Sales clerk", bio: "Answers questions about sales, and writes to customers.", custom_tools: tools });
  const allowed = tools.slice(0, 2).map((toolName) => ({ toolName, permissionStatus: "always_allow" }));
  await toolgate.api.put("/api/agents/sales-clerk/tools", { tools: allowed });
}

export const composer = (page: Page): Locator => page.getByRole("textbox", { name: "Message Sales clerk" });

export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

export async function begin(page: Page, text: string): Promise<void> {
  await page.goto("/chat?agent=sales-clerk");
  await say(page, text);
  await expect(page).toHaveURL(/\/chat\/thr_/);
}

export const conversation = (page: Page): Locator => page.getByRole("region", { name: "Conversation" });
