import { expect, expectAccessible, expectNoSidewaysScroll, OWN, PHONE, SERVER_GONE, shot, test } from "../harness";
import { addClerk, permit, rowOf } from "../seeds/agents";

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
  await expect(rowOf(page, "archive_agent"), "the list is short by then, and its rows stay").toBeHidden();
  await page.getByRole("button", { name: "Assign calculate" }).click();
  await expect(rowOf(page, "calculate")).toContainText("Assigned");
  await expectAccessible(page);
  const made = await toolgate.api.get("/api/agents/invoice-clerk-2");
  expect([made.persona, made.guard.max_budget]).toEqual(["You add up what people owe.", 2.5]);
  await expect.poll(async () => (await toolgate.api.get("/api/agents/invoice-clerk-2/assignments")).items[0]?.tool).toBe("calculate");
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
  // What nobody understands in an address is as if it were not there.
  await page.goto(new URL("?tab=nothing&section=9", page.url()).toString());
  await expect(page.getByRole("tab", { name: "Overview" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("link", { name: "Its tools" })).toBeVisible();
  await page.goto("/agents/new");
  await expect(page.getByRole("alert")).toContainText("You may not see this");
  await page.goto("/agents/nobody");
  await expect(page.getByRole("alert")).toContainText("nobody");
});

test("many agents are found by words, status and workspace", async ({ page, toolgate, signedInAs }) => {
  await addClerk(toolgate);
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
});

test("an agent is looked after from a phone and in Spanish, and the page says when the server is gone", OWN, async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(SERVER_GONE);
  const clerk = await addClerk(toolgate);
  await signedInAs("builder");
  await page.addInitScript(() => localStorage.setItem("toolgate.language", "es"));
  await page.setViewportSize(PHONE);
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
