import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";

test("an admin makes a key for an agent, sees it once, and revokes it", async ({ page, toolgate, signedInAs }) => {
  await toolgate.addAgent("researcher", { display_name: "Researcher" });
  await toolgate.api.post("/api/keys", { name: "nightly import", scopes: ["tools:read", "tools:execute", "invocations:read", "agents:read"], expires_at: "2030-01-01T00:00:00Z" });
  await signedInAs("admin");
  await page.goto("/operate/keys");
  await expect(page.getByRole("row", { name: /nightly import/ })).toContainText("and 1 more");
  await expectAccessible(page);
  await shot(page, "keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByLabel("Name").fill("desk of Ada");
  await form.getByRole("radio", { name: "An agent" }).click();
  await form.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "Researcher" }).click();
  await form.getByRole("button", { name: "Read only" }).click();
  await form.getByRole("checkbox", { name: /^Call tools/ }).click();
  await form.getByLabel("Expires").selectOption("30");
  await expectAccessible(page);
  await form.getByRole("button", { name: "Create a key" }).click();
  const made = page.getByRole("dialog", { name: "The key “desk of Ada”" });
  const key = await made.getByLabel("The key", { exact: true }).inputValue();
  await expectAccessible(page);
  expect((await toolgate.api.withKey(key).get("/api/auth/me")).agent_id).toBeTruthy();
  await made.getByRole("button", { name: "I have kept it" }).click();
  await expect(made).toBeHidden();
  expect(await page.content()).not.toContain(key);
  const row = page.getByRole("row", { name: /desk of Ada.*Researcher/ });
  await expect(row).toBeVisible();

  await row.getByRole("button", { name: "Revoke desk of Ada" }).click();
  await expectAccessible(page);
  const asks = page.getByRole("alertdialog");
  await asks.getByRole("button", { name: "Revoke" }).click();
  // Behind an open dialog nothing has a role, so every row is hidden.
  await expect(asks).toBeHidden();
  await expect(row).toBeHidden();
  expect((await toolgate.api.withKey(key).attempt("GET", "/api/tools")).status).toBe(401);
  await page.getByRole("radio", { name: "All" }).click();
  await expect(row).toContainText("Revoked");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});

test("who may not keep keys is told so", async ({ page, signedInAs, guard }) => {
  guard.allow(/status of 403/);
  await signedInAs("operator");
  await page.goto("/operate/keys");
  await expect(page.getByRole("heading", { name: "You may not see this" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create a key" })).toBeHidden();
});
