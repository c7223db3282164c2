// An office with a bookkeeper: an agent whose model is a script, so that its runs come out the same every time.
import type { Answer } from "../harness";
import type { Api } from "../harness/api";
import type { House } from "../harness/house";
import { script } from "../harness/model";

const SUM = { name: "calculate", arguments: { expression: "1250 * 1.19 + 480" } };
const REMINDER = { template: "Dear {{ customer }}, {{ amount }} are open since 1 February.", values: { customer: "Harbour Supplies", amount: "1,967.50" } };
/** What the approver makes of it. */
export const KINDER = { ...REMINDER, template: "Dear {{ customer }}, kindly remember {{ amount }}, open since 1 February." };
const many = Array.from({ length: 170 }, (_, index) => ({ name: "calculate", arguments: { expression: `${String(index + 1)} * 1.19` } }));

const RULES = [
  { after_tool: "send_reminder", replies: [{ text: "The reminder to **Harbour Supplies** is out: 1,967.50, due within ten days.", usage: { input_tokens: 1480, cached_input_tokens: 900, output_tokens: 38 }, cost_estimate: 0.0041 }] },
  {
    after_tool: "calculate",
    result_contains: "1967.5",
    replies: [
      {
        tool_calls: [{ name: "send_reminder", arguments: REMINDER }],
        usage: { input_tokens: 1210, cached_input_tokens: 800, output_tokens: 64 },
        cost_estimate: 0.0036,
      },
    ],
  },
  { after_tool: "calculate", replies: [{ text: "All 170 prices are in the sheet.", usage: { input_tokens: 9200, output_tokens: 20 }, cost_estimate: 0.02 }] },
  { contains: "overdue", replies: [{ text: "I add up what is open.", tool_calls: [{ name: "get_time" }, SUM], usage: { input_tokens: 860, output_tokens: 52 }, cost_estimate: 0.0029 }] },
  { contains: "whole price list", replies: [{ tool_calls: many, usage: { input_tokens: 700, output_tokens: 4000 }, cost_estimate: 0.05 }] },
  { contains: "greet", replies: [{ text: "Good morning!", usage: { input_tokens: 300, output_tokens: 4 }, cost_estimate: 0.0004 }, { text: "Good evening!", usage: { input_tokens: 300, output_tokens: 4 }, cost_estimate: 0.0004 }] },
  { contains: "forecast", replies: [{ error: { code: "PROVIDER_ERROR", message: "the model is overloaded" } }] },
  { contains: "think", replies: [{ deltas: ["Let me think about that"], hang: true }] },
];

/** `test.use({ serverArgs: withScript() })`. */
export function withScript(): string[] {
  return ["--model-script", script(RULES), "--limit", "run_max_tool_calls=200"];
}

export interface Office {
  agentId: string;
  /** REST with the key of somebody who may approve what the admin's key asks for. */
  approver: Api;
  /** The run, as soon as it is over or waits. */
  ask(message: string): Promise<Answer>;
  begin(message: string): Promise<Answer>;
}

export async function openOffice(toolgate: House): Promise<Office> {
  await toolgate.addTool("send_reminder", {
    egress_class: "write",
    description: "Sends a payment reminder to a customer",
    input_schema: {
      type: "object",
      properties: { template: { type: "string" }, values: { type: "object" } },
      required: ["template"],
    },
    execution: { kind: "builtin", handler: "render_template" },
  });
  const agent = await toolgate.api.post("/api/agents", {
    handle: "bookkeeper",
    display_name: "Bookkeeper",
    persona: "You keep the books of a small trading house. Be brief, and never guess a number.",
    custom_tools: ["calculate", "get_time", "send_reminder"],
  });
  const allowed = ["calculate", "get_time"].map((toolName) => ({ toolName, permissionStatus: "always_allow" }));
  await toolgate.api.put(`/api/agents/${String(agent.id)}/tools`, { tools: allowed });
  const run = (message: string, wait: boolean) => toolgate.api.post("/api/runs", { agent: "bookkeeper", message, wait });
  return { agentId: agent.id, approver: await toolgate.as("approver", ["approvals:decide", "invocations:read"]), ask: (message) => run(message, true), begin: (message) => run(message, false) };
}

export const OVERDUE = "Which invoices of Harbour Supplies are overdue? Send them a reminder.";
