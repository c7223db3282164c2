// What the stories of authoring do again and again.
import { expect, type Page } from "@playwright/test";

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

/** A new tool, as far as its name and its words. */
export const beginTool = async (page: Page, name: string, description: string, kind: string) => {
  await page.goto("/admin/tools/new");
  await field(page, "Name").fill(name);
  await field(page, "Description").fill(description);
  await tab(page, "Execution").click();
  await page.getByRole("radio", { name: kind }).click();
};

/** One field of the input, which must be filled in; its label is what the form asks for. */
export const addField = async (page: Page, key: string, label: string) => {
  await tab(page, "Schema").click();
  await page.getByRole("button", { name: "Add a field" }).first().click();
  await field(page, "Key").fill(key);
  await field(page, "Label").fill(label);
  await page.getByRole("checkbox", { name: "Must be filled in" }).check();
};

export const publish = async (page: Page, id: string) => {
  await page.getByRole("button", { name: /^Publish / }).click();
  await expect(page.getByText(`${id} is published`)).toBeVisible();
};

/** The tool's own page, where people call it. */
export const openTool = async (page: Page, heading: string) => {
  await page.getByRole("link", { name: "Open the tool" }).click();
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
};

export const tryIt = (page: Page) => page.getByRole("button", { name: "Run the test" }).click();
export const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true }).click();
/** The word at the end of a run: “Done”, “The call failed”. */
export const ended = (page: Page, word: string) => page.getByRole("heading", { name: word, exact: true });
