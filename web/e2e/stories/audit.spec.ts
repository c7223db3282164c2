import { execFileSync } from "node:child_process";

import { expect, expectAccessible, expectNoSidewaysScroll, OWN, PHONE, shot, test } from "../harness";

/** Changes the database as somebody with the file could: without the triggers that forbid it. */
function tamper(database: string, sql: string): void {
  const triggers = execFileSync("sqlite3", [database, "SELECT name FROM sqlite_master WHERE type = 'trigger'"], { encoding: "utf8" }).trim().split("\n");
  const drops = triggers.map((name) => `DROP TRIGGER ${name};`).join("");
  execFileSync("sqlite3", [database, `.timeout 10000`, `BEGIN; ${drops} ${sql}; COMMIT;`]);
}

test("an operator finds who changed what, sees before and after, and takes the trail along", async ({ page, toolgate, signedInAs }) => {
  const agent = await toolgate.api.post("/api/agents", { handle: "researcher", display_name: "Researcher", bio: "Reads papers" });
  await toolgate.api.patch(`/api/agents/${String(agent.id)}`, { bio: "Reads papers and patents", guard: { max_tool_calls: 12 } });
  const key = await toolgate.api.post("/api/keys", { name: "nightly build", scopes: ["tools:read"] });
  await toolgate.api.delete(`/api/keys/${String(key.id)}`);
  await toolgate.addTool("greet_warmly");
  const asked = await toolgate.addApproval();
  const pia = await toolgate.as("approver", ["approvals:decide", "invocations:read"]);
  await pia.post(`/api/invocations/${String(asked.id)}/reject`, { reason: "not today" });
  await toolgate.call("calculate", { expression: "6*7" });
  await signedInAs("operator");
  await page.goto("/operate/audit");
  await expect(page.getByText("Verified: everything is as it was recorded")).toBeVisible();
  await expect(page.getByText(/Looked at: receipts \d+ · events \d+/)).toBeVisible();
  const trail = page.getByRole("grid", { name: "Audit" });
  await expect(trail.getByRole("row").filter({ hasText: "key.revoke" })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "audit");

  await page.getByRole("combobox", { name: "Action" }).click();
  await page.keyboard.type("agent.");
  await page.getByRole("option", { name: "agent: everything" }).click();
  await expect(page).toHaveURL(/action=agent\./);
  await expect(trail.getByRole("row")).toHaveCount(3);
  await trail.getByRole("row").filter({ hasText: "agent.update" }).click();
  const drawer = page.getByRole("dialog", { name: /Event/ });
  const changes = drawer.getByRole("list", { name: "What changed" });
  await expect(changes).toContainText("Reads papers and patents");
  await expect(changes).toContainText("guard.max_tool_calls");
  await expectAccessible(page);
  await shot(page, "audit-event");
  await drawer.getByRole("tab", { name: "The whole event" }).click();
  await expect(drawer.getByRole("tree", { name: "The whole event" })).toContainText("agent.update");
  const address = page.url();
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();

  await page.goto(address.replace("action=agent.", "action=key."));
  await expect(drawer).toContainText("agent.update");
  await drawer.getByRole("button", { name: "all about it" }).click();
  await expect(page).toHaveURL(/target=agt_/);
  await page.goto("/operate/audit?until=2020-01-01");
  await expect(page.getByRole("heading", { name: "No event fits" })).toBeVisible();
  await page.goto("/operate/audit");
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  expect((await file).suggestedFilename()).toBe("audit.jsonl");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});

test("a trail that somebody rewrote says so, and where", OWN, async ({ page, toolgate, signedInAs }) => {
  await toolgate.call("calculate", { expression: "0.1+0.2" });
  await toolgate.api.post("/api/keys", { name: "ci", scopes: ["tools:read"] });
  await signedInAs("admin");
  await page.goto("/operate/audit");
  await expect(page.getByText("Verified: everything is as it was recorded")).toBeVisible();
  tamper(toolgate.server.database, `UPDATE tool_invocations SET output = '{"result":"1000000"}'`);
  await page.getByRole("button", { name: "Verify again" }).click();
  const banner = page.getByRole("region", { name: "Verification" });
  await expect(banner).toContainText("The trail was tampered with");
  await expect(banner.getByRole("alert")).toBeVisible();
  await expect(banner).toContainText("A record was changed");
  await expectAccessible(page);
  await shot(page, "audit-tampered");
  await banner.getByRole("link", { name: /^inv_/ }).click();
  await expect(page).toHaveURL(/invocation=inv_/);
});

test("hundreds of events come as one scrolls, and newer ones are announced", async ({ page, toolgate, signedInAs }) => {
  const agent = await toolgate.api.post("/api/agents", { handle: "clerk", display_name: "Clerk" });
  for (let turn = 0; turn < 230; turn += 1) await toolgate.api.patch(`/api/agents/${String(agent.id)}`, { bio: `Version ${String(turn)}` });
  await signedInAs("admin");
  await page.goto("/operate/audit?action=agent.");
  const trail = page.getByRole("grid", { name: "Audit" });
  await expect(trail.getByRole("row").nth(1)).toBeVisible();
  expect(await trail.getByRole("row").count()).toBeLessThan(60);
  await trail.getByRole("row").nth(1).focus();
  // As somebody who holds End: each page comes as the one before is reached.
  await expect(async () => {
    await page.keyboard.press("End");
    await expect(page.getByText("231 rows")).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Home");
  await toolgate.api.patch(`/api/agents/${String(agent.id)}`, { bio: "The newest" });
  const newer = page.getByRole("button", { name: "There are newer events: show them" });
  await newer.click();
  await expect(newer).toBeHidden();
  await trail.getByRole("row").nth(1).click();
  await expect(page.getByRole("dialog", { name: /Event/ })).toContainText("The newest");
});

test("who may not read the trail is told so, in Spanish as well", async ({ page, signedInAs, guard }) => {
  guard.allow(/status of 403/);
  await signedInAs("viewer");
  await page.addInitScript(() => localStorage.setItem("toolgate.language", "es"));
  await page.goto("/operate/audit");
  await expect(page.getByRole("heading", { level: 1, name: "Auditoría" })).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("audit");
  await expect(page.getByRole("link", { name: "Exportar" })).toHaveCount(0);
  await expectAccessible(page);
});
