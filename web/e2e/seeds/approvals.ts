// What the stories of the inbox and of the invocations are told with.
import type { Answer } from "../harness/api";
import type { House } from "../harness/house";

/** A tool that writes outside, and an agent that may ask for it. */
export async function addReleaseDesk(toolgate: House): Promise<{ ask(text: string): Promise<Answer>; agentId: string }> {
  await toolgate.addTool("announce_release", {
    description: "Publishes an announcement to every customer",
    egress_class: "write",
    risk: "high",
    input_schema: {
      type: "object",
      additionalProperties: false,
      required: ["template", "values"],
      properties: {
        template: { type: "string", title: "Text" },
        values: { type: "object", title: "Values", properties: { product: { type: "string" }, version: { type: "string" } } },
      },
    },
    execution: { kind: "builtin", handler: "render_template" },
  });
  const agent = await toolgate.addAgent("release-desk", { display_name: "Release Desk", custom_tools: ["announce_release"] });
  const ask = (text: string) => toolgate.addApproval("announce_release", { template: text, values: { product: "Atlas", version: "4.2" } }, agent.api);
  return { ask, agentId: agent.id };
}
