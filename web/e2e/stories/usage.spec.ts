import { expect, expectAccessible, expectNoSidewaysScroll, OWN, PHONE, SERVER_GONE, shot, test } from "../harness";
import { openOffice, OVERDUE, withScript } from "../seeds/office";

test.use({ serverArgs: withScript() });

test("an operator sees what was called, for how much, narrows it down, and takes it along", async ({ page, toolgate, signedInAs }) => {
  const office = await openOffice(toolgate);
  for (const message of ["Please greet the team", "Please greet the team", OVERDUE, "Make a forecast for March"]) await office.ask(message);
  for (const expression of ["6*7", "12*34", "6*7", "2+"]) await toolgate.api.attempt("POST", "/api/tools/calculate/invoke", { expression });
  await toolgate.api.put("/api/settings", { budget: { daily: 0.012, monthly: 40 }, agent_daily_calls: 500 });
  await toolgate.api.post("/api/tools/calculate/aliases", { alias: "sum_up", remove_by: new Date(Date.now() + 30 * 86_400_000).toISOString() });
  await toolgate.call("sum_up", { expression: "1+1" });
  await signedInAs("operator");
  await page.goto("/operate/usage");
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible();
  const totals = page.getByLabel("Totals");
  await expect(totals).toContainText("$0.0073");
  await expect(totals).toContainText("runs of agents");
  await expect(page.getByRole("img", { name: "Calls and errors per day, as a chart" }).locator("svg").first()).toBeVisible();
  await expect(page.getByText("$0.0073 of $0.012")).toBeVisible();
  await expect(page.getByRole("group", { name: "Still in use, though it is going away" })).toContainText("called as sum_up");
  await expectAccessible(page);
  await shot(page, "usage");

  await page.getByRole("button", { name: "Show the data" }).first().click();
  await expect(page.getByRole("region", { name: "Table of Calls and errors per day" })).toBeVisible();
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  expect((await file).suggestedFilename()).toBe("usage.csv");

  await page.getByRole("tab", { name: "Model" }).click();
  await expect(page.getByRole("grid", { name: "In detail: Model" })).toContainText("scripted");
  await page.getByRole("tab", { name: "Agent" }).click();
  const agents = page.getByRole("grid", { name: "In detail: Agent" });
  await agents.getByRole("row").filter({ hasText: "Bookkeeper" }).click();
  await expect(page).toHaveURL(/agent=agt_/);
  const tools = page.getByRole("grid", { name: "In detail: Tool" });
  await expect(tools).toContainText("get_time");
  await tools.getByRole("button", { name: "Sort by Calls" }).click();
  await page.getByRole("button", { name: "Take this filter away: Agent: Bookkeeper" }).click();
  await expect(page).not.toHaveURL(/agent=/);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});

test("a viewer sees usage without the budget; a time without calls teaches; a server that is gone says so", OWN, async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(SERVER_GONE);
  await toolgate.call("calculate", { expression: "6*7" });
  await toolgate.api.put("/api/settings", { budget: { daily: 5 } });
  await signedInAs("viewer");
  await page.addInitScript(() => localStorage.setItem("toolgate.language", "es"));
  await page.goto("/operate/usage");
  await expect(page.getByRole("heading", { level: 1, name: "Uso" })).toBeVisible();
  await expect(page.getByLabel("Totales")).toContainText("Llamadas");
  await expect(page.getByText("Presupuesto y cuota")).toHaveCount(0);
  await expectAccessible(page);
  await page.goto("/operate/usage?since=2020-01-01&until=2020-01-31");
  await expect(page.getByRole("heading", { name: "No se llamó a nada en este período" })).toBeVisible();
  await expect(page.getByText("Nadie llama a nada que vaya a desaparecer.")).toBeVisible();
  await expect(page.getByLabel("Desde")).toHaveValue("2020-01-01");
  await toolgate.server.stop();
  await page.getByLabel("Hasta").fill("2020-02-01");
  await expect(page.getByRole("alert").filter({ hasText: "El servidor no responde" }).first()).toBeVisible();
  await toolgate.server.startAgain();
  await expect(page.getByRole("heading", { name: "No se llamó a nada en este período" })).toBeVisible({ timeout: 45_000 });
});
