// What the stories of authoring do again and again.
import type { Page } from "@playwright/test";

export const GREET = {
  description: "Greets a person by name. Use it to say hello; it knows one language.",
  category: "utility",
  input_schema: {
    type: "object",
    properties: { name: { type: "string", title: "Name of the person", maxLength: 80 }, polite: { type: "boolean", default: true } },
    required: ["name"],
    additionalProperties: false,
  },
  output_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execution: { kind: "builtin", handler: "render_template", arguments: { template: "Hello {{ name }}!", values: "$input" } },
  examples: [{ input: { name: "Ada" }, output: { text: "Hello Ada!" } }],
};

export const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
/** CodeMirror takes text as a browser gives it to any editable element. */
export const write = async (page: Page, editor: string, text: string) => {
  await page.getByRole("textbox", { name: editor, exact: true }).fill(text);
};
