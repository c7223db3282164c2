import { fileURLToPath } from "node:url";

import type { Page } from "@playwright/test";

import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from "../harness";
import { Upstream } from "../harness/upstream";

const PROGRAM = fileURLToPath(new URL("../seeds/notes-server.mjs", import.meta.url));
test.use({ serverArgs: ["--allow-host", "127.0.0.0/8", "--mcp-stdio-command", `node ${PROGRAM}`] });

const library = async (page: Page, search: string) => {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tools", exact: true }).click();
  await page.getByRole("searchbox", { name: "Search tools" }).fill(search);
};
const back = async (page: Page, server: string) => {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "MCP servers" }).click();
  await page.getByRole("row", { name: new RegExp(server) }).click();
};

test("a program on the machine is added by the form, changed, and switched off and on: its tools go and come back", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/status of 422/);
  await signedInAs("operator");
  await page.goto("/operate/mcp-servers?add=true");
  const form = page.getByRole("dialog", { name: "Add a server" });
  await form.getByLabel("Name", { exact: true }).fill("notes");
  await form.getByRole("radio", { name: "As a program on this server" }).click();
  await form.getByLabel("Program", { exact: true }).fill("sh");
  await form.getByLabel("Arguments", { exact: true }).fill("-c\nrm -rf /");
  await form.getByRole("button", { name: "Add a variable" }).click();
  await expect(form.getByLabel("Name 1")).toBeFocused();
  await page.keyboard.type("AUTHOR");
  await form.getByLabel("Value 1").fill("Nora");
  await expect(form.getByLabel("Egress").getByRole("option"), "a server elsewhere is always outside").toHaveText([/don't know/, "Reads outside", /^Writes outside/]);
  await form.getByLabel("Egress").selectOption("read_only");
  await expectAccessible(page);
  await form.getByRole("button", { name: "Add a server" }).click();
  await expect(form.getByRole("alert"), "what the machine's operator did not allow does not run").toContainText("--mcp-stdio-command");
  await form.getByLabel("Program", { exact: true }).fill("node");
  await form.getByLabel("Arguments", { exact: true }).fill(PROGRAM);
  await form.getByRole("button", { name: "Add a server" }).click();

  await expect(page.getByRole("heading", { level: 1, name: /notes/ })).toContainText("Connected");
  await expect(page.getByRole("row", { name: /notes_take_note.*Accepted/ })).toBeVisible();
  await expect(page.getByText(`node ${PROGRAM}`)).toBeVisible();
  const note = async () => (await toolgate.call("notes_take_note", { text: "buy milk" })).output.content[0].text as string;
  expect(await note()).toBe("Nora: buy milk");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Change" }).click();
  const changing = page.getByRole("dialog", { name: "Change: notes" });
  await changing.getByLabel("Value 1").fill("Omar");
  await expectAccessible(page);
  await changing.getByRole("button", { name: "Save" }).click();
  await expect(changing).toBeHidden();
  await expect(page.getByText("AUTHOR: Omar")).toBeVisible();
  await expect.poll(note, "the program was started anew").toBe("Omar: buy milk");
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Switch off" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /notes/ })).toContainText("Switched off");
  await expect(page.getByRole("button", { name: "Refresh" })).toBeDisabled();
  await library(page, "take_note");
  await expect(page.getByRole("heading", { name: "No tool fits" })).toBeVisible();
  expect((await toolgate.api.attempt("POST", "/api/tools/notes_take_note/invoke", { text: "x" })).status).toBeGreaterThanOrEqual(400);
  await back(page, "notes");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Switch on" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /notes/ })).toContainText("Connected");
  await library(page, "take_note");
  await expect(page.getByRole("link", { name: "notes_take_note" })).toBeVisible();
  expect(await note()).toBe("Omar: buy milk");
});

test("a server that moved is told its new address and a header, and is asked there at once", async ({ page, toolgate, signedInAs }) => {
  const tool = (name: string) => ({ name, description: `${name} of the tracker`, inputSchema: { type: "object" } });
  const old = await Upstream.start([tool("list_issues")]);
  const moved = await Upstream.start([tool("list_issues"), tool("list_people")]);
  await toolgate.api.put("/api/secrets/TRACKER_TOKEN", { value: "a-long-token", scope: "tenant" });
  await toolgate.api.post("/api/mcp/servers", { name: "tracker", transport: { kind: "http", url: old.url }, egress_class: "read_only" });
  await old.leave();
  await signedInAs("operator");
  await page.goto("/operate/mcp-servers/tracker");
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "It could not be asked for its tools" })).toBeVisible();
  await page.getByRole("button", { name: "Change" }).click();
  const form = page.getByRole("dialog", { name: "Change: tracker" });
  await expect(form.getByLabel("Name", { exact: true })).toBeDisabled();
  await form.getByLabel("Address", { exact: true }).fill(moved.url);
  await form.getByRole("button", { name: "Add a header" }).click();
  await form.getByLabel("Name 1").fill("x-team");
  await form.getByLabel("Insert a secret into value 1").selectOption("TRACKER_TOKEN");
  await expect(form.getByLabel("Value 1", { exact: true })).toHaveValue("{$secret.TRACKER_TOKEN}");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole("heading", { level: 1, name: /tracker/ })).toContainText("Connected");
  await expect(page.getByText("x-team: {$secret.TRACKER_TOKEN}")).toBeVisible();
  await expect(page.getByRole("article", { name: "tracker_list_people" }), "what is new there waits for a look").toBeVisible();
  expect(moved.heard["x-team"]).toBe("a-long-token");
  expect(await page.content()).not.toContain("a-long-token");
  await moved.leave();
});
