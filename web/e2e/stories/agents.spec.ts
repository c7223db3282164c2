import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";
import { addClerk, permit, rowOf } from "./agents.seed";

test("a builder makes an agent, is told that the handle is taken, and gives it its first tool", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/status of 409/);
  await signedInAs("builder");
  await page.goto("/agents");
  await expect(page.getByRole("heading", { name: "No agents yet" })).toBeVisible();
  await expectAccessible(page);
  await toolgate.addAgent("invoice-clerk");
  await page.getByRole("main").getByRole("link", { name: "New agent" }).first().click();

  await page.getByRole("button", { name: "Make the agent" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await page.getByLabel("Name", { exact: true }).fill("Invoice Clerk");
  await expect(page.getByLabel("Handle")).toHaveValue("invoice-clerk");
  await page.getByLabel("Persona").fill("You add up what people owe.");
  await page.getByLabel("Budget of a run").fill("2.50");
  await page.getByRole("button", { name: "Make the agent" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "is taken" })).toBeVisible();
  await expect(page.getByLabel("Handle")).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel("Handle").fill("invoice-clerk-2");
  await page.getByRole("button", { name: "Make the agent" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Invoice Clerk" })).toBeVisible();
  await expect(page.getByRole("tab", { name: "Registry" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("searchbox", { name: "Search tools" }).fill("calculate");
  await page.getByRole("button", { name: "Assign calculate" }).click();
  await expect(rowOf(page, "calculate")).toContainText("Assigned");
  await expectAccessible(page);
  const made = await toolgate.api.get("/api/agents/invoice-clerk-2");
  expect([made.persona, made.guard.max_budget]).toEqual(["You add up what people owe.", 2.5]);
  expect((await toolgate.api.get("/api/agents/invoice-clerk-2/assignments")).items[0].tool).toBe("calculate");
});

test("who may not change agents looks and changes nothing", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/status of 404/);
  const clerk = await addClerk(toolgate);
  await permit(toolgate, clerk.id, { calculate: "always_allow" });
  await signedInAs("viewer");
  await page.goto("/agents");
  await page.getByRole("row").filter({ hasText: "Invoice Clerk" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Invoice Clerk" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeHidden();
  await expect(page.getByRole("button", { name: "More actions" })).toBeHidden();
  await page.getByRole("link", { name: "Its tools" }).click();
  await expect(rowOf(page, "calculate")).toContainText("Always allow");
  await expect(page.getByRole("radio")).toHaveCount(0);
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(page.getByText("You may look at this agent, but not change it.")).toBeVisible();
  await expect(page.getByLabel("Persona")).not.toBeEditable();
  await expect(page.getByRole("button", { name: "Save" })).toBeHidden();
  await expectAccessible(page);
  await page.goto("/agents/new");
  await expect(page.getByRole("alert")).toContainText("You may not see this");
  await page.goto("/agents/nobody");
  await expect(page.getByRole("alert")).toContainText("nobody");
});

test.describe("with a model", () => {
  const script = join(mkdtempSync(join(tmpdir(), "toolgate-model-")), "model.json");
  writeFileSync(
    script,
    JSON.stringify({
      rules: [
        { after_tool: "calculate", replies: [{ text: "That is 19.75 altogether.", usage: { input_tokens: 420, output_tokens: 18 }, cost_estimate: 0.0021 }] },
        { contains: "paid", replies: [{ tool_calls: [{ name: "calculate", arguments: { expression: "12.50 + 7.25" } }], usage: { input_tokens: 380, output_tokens: 24 }, cost_estimate: 0.0019 }] },
        { replies: [{ text: "Nothing is overdue.", usage: { input_tokens: 300, output_tokens: 6 }, cost_estimate: 0.001 }] },
      ],
    }),
  );
  test.use({ serverArgs: ["--model-script", script] });

  test("an agent is run from its page, edited, paused and archived", async ({ page, toolgate, signedInAs }) => {
    const clerk = await addClerk(toolgate);
    await toolgate.api.patch(`/api/agents/${clerk.id}`, { model: null });
    await permit(toolgate, clerk.id, { calculate: "always_allow" });
    for (const message of ["Which invoices are overdue this week?", "Kim paid 12.50 and 7.25. How much is that?"]) await toolgate.api.post("/api/runs", { agent: "invoice-clerk", message });
    await signedInAs("operator");
    await page.goto(`/agents/${clerk.id}`);
    await expect(page.getByRole("list", { name: "Last runs" }).getByRole("listitem")).toHaveCount(2);
    await expect(page.getByRole("list", { name: "Last runs" })).toContainText("Completed");
    await expect(page.locator(".recharts-surface").first()).toBeVisible();
    await expectAccessible(page);
    await shot(page, "agent");
    await expect(page.getByRole("link", { name: "Chat", exact: true }).last()).toHaveAttribute("href", "/chat?agent=invoice-clerk");

    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByLabel("Calls at most").fill("5");
    await page.getByRole("tab", { name: "Overview" }).click();
    await expect(page.getByRole("alertdialog")).toContainText("Leave without saving?");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.keyboard.press("Control+s");
    await expect(page.getByText("Invoice Clerk was saved")).toBeVisible();
    expect((await toolgate.api.get(`/api/agents/${clerk.id}`)).guard).toEqual({ max_tool_calls: 5, max_budget: 2.5 });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByLabel("Calls at most")).toHaveValue("20");

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await expect(page.getByText("This agent is paused")).toBeVisible();
    await page.getByRole("listitem").filter({ hasText: "Invoice Clerk is paused" }).getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("This agent is paused")).toBeHidden();

    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByLabel("Message").fill("Ann paid 12.50 and 7.25. How much is that?");
    await expectAccessible(page);
    await page.keyboard.press("Control+Enter");
    await expect(page).toHaveURL(/\/runs\/run_/);

    await page.goto(`/agents/${clerk.id}`);
    await expect(page.getByRole("list", { name: "Last runs" }).getByRole("listitem")).toHaveCount(3);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await expectAccessible(page);
    await page.getByRole("alertdialog").getByRole("button", { name: "Archive" }).click();
    await expect(page.getByText("This agent is archived.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Run", exact: true })).toBeHidden();
    await page.goto("/agents");
    await expect(page.getByRole("heading", { name: "No agents yet" })).toBeVisible();
    await page.goto("/agents?status=archived");
    await expect(page.getByRole("row").filter({ hasText: "Invoice Clerk" })).toBeVisible();
  });
});

test("many agents are found by words, status and workspace, on a phone and in Spanish; the server may go away", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/);
  const clerk = await addClerk(toolgate);
  const sales = await toolgate.api.post("/api/workspaces", { slug: "sales", name: "Sales" });
  const made = [
    ["release-scout", "Release Scout", "Reads changelogs and tells what breaks.", "anthropic/claude-sonnet-4-5"],
    ["support-triage", "Support Triage", "Sorts tickets and drafts first answers.", "openai/gpt-4o-mini"],
    ["lead-researcher", "Lead Researcher", "Looks companies up before a call.", "openai/gpt-4o"],
    ["data-janitor", "Data Janitor", "Cleans tables that arrive by mail.", null],
  ];
  for (const [handle, display_name, bio, model] of made) await toolgate.api.post("/api/agents", { handle, display_name, bio, model, ...(handle === "lead-researcher" ? { workspace_id: sales.id } : {}) });
  await toolgate.api.patch("/api/agents/data-janitor", { status: "paused" });
  await signedInAs("admin");
  await page.goto("/agents");
  const rows = page.getByRole("grid", { name: "Agents" }).getByRole("row");
  await expect(rows).toHaveCount(6);
  await expectAccessible(page);
  await shot(page, "agents");
  await page.getByRole("searchbox", { name: "Search agents" }).fill("ticket");
  await expect(rows).toHaveCount(2);
  await page.goto("/agents?status=paused");
  await expect(rows).toHaveCount(2);
  await page.getByLabel("Status").selectOption("Not archived");
  await page.getByLabel("Workspace", { exact: true }).selectOption("Sales");
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("Lead Researcher");

  await page.setViewportSize(PHONE);
  await page.evaluate(() => localStorage.setItem("toolgate.language", "es"));
  await page.goto(`/agents/${clerk.id}?tab=tools&section=assignments`);
  await expect(page.getByRole("radiogroup", { name: "Permiso de send_letter" })).toHaveAccessibleDescription("Escribe fuera: siempre pregunta.");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole("radiogroup", { name: "Permiso de calculate" }).getByRole("radio", { name: "Bloqueada" }).click();
  await expect(page.getByText("calculate: Bloqueada")).toBeVisible();
  for (const path of ["/agents", "/agents/new", `/agents/${clerk.id}`, `/agents/${clerk.id}?tab=settings`, `/agents/${clerk.id}?tab=tools`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
  await toolgate.server.stop();
  await page.getByRole("tab", { name: "Invocaciones" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "El servidor no responde" })).toBeVisible();
});
