import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";
import { addClerk, permit, rowOf, tiersOf } from "../seeds/agents";

test("blocking a tool by keyboard alone refuses the agent's next call, and says which rule did", async ({ page, toolgate, signedInAs }) => {
  const clerk = await addClerk(toolgate);
  await permit(toolgate, clerk.id, { calculate: "always_allow" });
  expect((await toolgate.call("calculate", { expression: "12.50 + 7.25" }, clerk.api)).output.result).toBe("19.75");
  await signedInAs("operator");
  await page.goto(`/agents/${clerk.id}?tab=tools&section=assignments`);
  await expect(tiersOf(page, "calculate").getByRole("radio", { name: "Always allow" })).toBeChecked();
  await expect(rowOf(page, "calculate").getByRole("button", { name: /^Runs/ })).toBeVisible();
  await expect(rowOf(page, "send_letter").getByRole("button", { name: /^Asks/ })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "agent-tools");

  await rowOf(page, "calculate").focus();
  await page.keyboard.press("3");
  await expect(tiersOf(page, "calculate").getByRole("radio", { name: "Blocked" })).toBeChecked();
  await expect(rowOf(page, "calculate").getByRole("button", { name: /^Refused/ })).toBeVisible();
  await expect(rowOf(page, "calculate")).toBeFocused();
  const refused = await toolgate.api.withKey(clerk.api.key).attempt("POST", "/api/tools/calculate/invoke", { expression: "1+1" });
  expect([refused.status, refused.body.error.code]).toEqual([403, "POLICY_DENIED"]);

  await page.keyboard.press("Enter");
  const why = page.getByRole("dialog", { name: "May Invoice Clerk call calculate?" });
  await expect(why).toContainText("Invoice Clerk may not call it.");
  await expect(why.getByRole("list", { name: "Which rules said what" }).getByRole("listitem").first()).toContainText("it is blocked for the agent invoice-clerk");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(rowOf(page, "calculate")).toBeFocused();

  // Through the radios as well: Tab leads into the row, arrows move, Space chooses.
  for (let tabs = 0; tabs < 4 && (await page.locator(":focus").getAttribute("role")) !== "radio"; tabs += 1) await page.keyboard.press("Tab");
  await expect(tiersOf(page, "calculate").getByRole("radio", { name: "Blocked" })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Space");
  await expect(tiersOf(page, "calculate").getByRole("radio", { name: "Needs approval" })).toBeChecked();
  const said = async () => (await toolgate.api.get(`/api/agents/${clerk.id}/tools`)).tools;
  await expect.poll(said).toEqual([expect.objectContaining({ toolName: "calculate", permissionStatus: "needs_approval" })]);

  await page.getByRole("tab", { name: "Invocations" }).click();
  await expect(page.getByRole("row").filter({ hasText: "calculate" }).first()).toContainText("Failed");
  await page.getByRole("row").filter({ hasText: "calculate" }).first().click();
  await expect(page).toHaveURL(/invocation=inv_/);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a tool that writes can never be always allowed, and the page says why", async ({ page, toolgate, signedInAs }) => {
  const clerk = await addClerk(toolgate);
  await signedInAs("builder");
  await page.goto(`/agents/invoice-clerk?tab=tools&section=assignments`);
  const always = tiersOf(page, "send_letter").getByRole("radio", { name: "Always allow" });
  await expect(always).toBeDisabled();
  await expect(tiersOf(page, "send_letter")).toHaveAccessibleDescription("Writes outside: always asks.");
  await rowOf(page, "send_letter").focus();
  await page.keyboard.press("1");
  await expect(page.getByText("send_letter can never be always allowed.")).toBeVisible();
  expect((await toolgate.api.get(`/api/agents/${clerk.id}/tools`)).tools).toEqual([]);
  await page.keyboard.press("Enter");
  const why = page.getByRole("dialog", { name: /May Invoice Clerk call send_letter/ });
  await expect(why).toContainText("what leaves the platform is decided by a person");
  await expect(why.getByRole("list", { name: "Which rules said what" })).toContainText("egress_class");
  await why.getByRole("button", { name: "With another input…" }).click();
  await why.getByLabel("to required").fill("kim@example.org");
  await why.getByLabel("text required").fill("Hello");
  await why.getByRole("button", { name: "Ask with this input" }).click();
  await expect(why).toContainText("With the input that you gave below.");
  await expectAccessible(page);
});

test("what was approved for good stays when another tool changes, and is taken back by asking first", async ({ page, toolgate, signedInAs }) => {
  const clerk = await addClerk(toolgate);
  const waiting = await toolgate.call("parse_csv", { text: "a,b\n1,2\n" }, clerk.api);
  const ada = await toolgate.as("admin", ["approvals:decide", "agents:write", "agents:read"]);
  await ada.post(`/api/invocations/${waiting.invocation_id ?? waiting.id}/approve`, { always: true });
  await signedInAs("operator");
  await page.goto(`/agents/${clerk.id}?tab=tools&section=assignments`);
  await expect(rowOf(page, "parse_csv")).toContainText("Approved for good by");
  await tiersOf(page, "calculate").getByRole("radio", { name: "Blocked" }).click();
  await expect(page.getByText("calculate: Blocked")).toBeVisible();
  await expect(rowOf(page, "parse_csv")).toContainText("Approved for good by");
  expect((await toolgate.api.get(`/api/agents/${clerk.id}/tools`)).overrides).toHaveLength(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(tiersOf(page, "calculate").getByRole("radio", { name: "Needs approval" })).toBeChecked();

  await page.getByRole("button", { name: "More for parse_csv" }).click();
  await page.getByRole("menuitem", { name: "Ask again" }).click();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Ask again" }).click();
  await expect(rowOf(page, "parse_csv")).not.toContainText("Approved for good by");
});

test("a tool is put under a profile, denied, revoked, and given back", async ({ page, toolgate, signedInAs }) => {
  const clerk = await addClerk(toolgate);
  await toolgate.api.post("/api/profiles", { name: "careful", requires_approval: true, rate_limit: { limit: 30, window_s: 60 } });
  await signedInAs("operator");
  await page.goto(`/agents/${clerk.id}?tab=tools&section=assignments`);
  await page.getByLabel("Profile of calculate").selectOption("careful");
  await expect(page.getByText("calculate is under: careful")).toBeVisible();
  await page.getByRole("button", { name: "More for parse_csv" }).click();
  await page.getByRole("menuitem", { name: "Deny" }).click();
  await expect(rowOf(page, "parse_csv")).toContainText("Denied");
  await page.getByRole("button", { name: "More for send_letter" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await expect(rowOf(page, "send_letter")).toBeHidden();
  await page.getByRole("listitem").filter({ hasText: "send_letter was taken from" }).getByRole("button", { name: "Undo" }).click();
  await expect(rowOf(page, "send_letter")).toBeVisible();

  await page.getByRole("tab", { name: "Profiles" }).click();
  await expect(page.getByRole("list", { name: "Profiles" }).getByRole("listitem").first()).toContainText("At most 30 calls in 1 min.");
  await expect(page.getByRole("link", { name: "Manage profiles" })).toHaveAttribute("href", "/operate/profiles");
  await expectAccessible(page);
});

test("the badge counts what waits, as it comes, and a row opens the call @postgres", async ({ page, toolgate, signedInAs }) => {
  const clerk = await addClerk(toolgate);
  await signedInAs("approver");
  await page.goto(`/agents/${clerk.id}?tab=tools&section=approvals`);
  await expect(page.getByRole("heading", { name: "Nothing waits" })).toBeVisible();
  for (const to of ["kim@example.org", "ann@example.org"]) await toolgate.call("send_letter", { to, text: "Your invoice is due." }, clerk.api);
  await expect(page.getByRole("tab", { name: "Approvals 2 wait for approval" })).toBeVisible();
  await expect(page.getByRole("grid", { name: "Approvals" }).getByRole("row")).toHaveCount(3);
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.getByRole("row").filter({ hasText: "ann@example.org" }).click();
  await expect(page).toHaveURL(/invocation=inv_/);
  await expect(page.getByRole("dialog")).toBeVisible();
});
