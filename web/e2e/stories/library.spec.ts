import { expect, expectAccessible, expectNoSidewaysScroll, OWN, PHONE, SERVER_GONE, shot, test } from "../harness";
import type { House } from "../harness/house";

const object = { type: "object" };
const http = (url: string, more: object = {}) => ({ kind: "http", method: "GET", url, ...more });

/** A library that looks like a company's: of every kind, risk and state. */
async function furnish(toolgate: House): Promise<void> {
  await toolgate.addTool("track_parcel", { category: "logistics", description: "Tells where a parcel is, and when it will arrive.", egress_class: "read_only", execution: http("https://parcels.example/track") });
  await toolgate.addTool("plan_route", { category: "logistics", description: "Finds the shortest round for a van, with its stops in order.", risk: "medium" });
  await toolgate.addTool("find_customer", { category: "support", description: "Finds a customer by name, address or order number.", egress_class: "read_only", execution: http("https://crm.example/customers") });
  await toolgate.addTool("refund_order", { category: "support", description: "Pays an order back to the card it was paid with.", egress_class: "write", risk: "high", secrets: ["PAYMENTS_KEY"], execution: { ...http("https://pay.example/refunds", { auth: { type: "bearer", secret: "PAYMENTS_KEY" } }), method: "POST" } });
  await toolgate.addTool("close_account", { category: "support", description: "Closes an account for good.", risk: "critical", requires_approval: true, input_schema: object });
  await toolgate.addTool("export_ledger", { category: "finance", description: "Writes the ledger of a month to a file, as the old system did." });
  await toolgate.api.patch("/api/tools/export_ledger", { lifecycle: "deprecated" });
  await toolgate.addTool("wipe_warehouse", { category: "finance", description: "Empties the data warehouse." });
  await toolgate.api.patch("/api/tools/wipe_warehouse", { lifecycle: "blocked" });
}

test("the library shows at a glance what each call touches @postgres", async ({ page, toolgate, signedInAs }) => {
  await furnish(toolgate);
  await signedInAs("member");
  await page.goto("/tools");
  const card = (name: string) => page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
  await expect(card("refund_order")).toContainText("Writes");
  await expect(card("refund_order")).toContainText("High risk");
  await expect(card("refund_order")).toContainText("Asks first");
  await expect(card("refund_order")).toContainText("Secret missing");
  await expect(card("find_customer")).toContainText("Reads");
  await expect(card("export_ledger")).toContainText("Deprecated");
  await expect(page.getByText("wipe_warehouse"), "a blocked tool cannot be called").toBeHidden();
  await expectAccessible(page);
  await shot(page, "library");

  await page.getByRole("radio", { name: "Table" }).click();
  await expect(page.getByRole("grid", { name: "Tools" })).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole("grid", { name: "Tools" }), "the view is in the address").toBeVisible();
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test("what was searched and filtered is in the address: a reload, Back and a sent link keep it", async ({ page, toolgate, signedInAs }) => {
  await furnish(toolgate);
  await signedInAs("member");
  await page.goto("/tools");
  const found = page.getByRole("status").filter({ hasText: /^\d+ tools?/ });
  const filters = { Category: "support", Kind: "http", Origin: "tenant_custom", Egress: "write" };
  for (const [label, value] of Object.entries(filters)) await page.getByRole("combobox", { name: label, exact: true }).selectOption(value);
  await expect(found).toHaveText("1 tool");
  await expect(page).toHaveURL(/category=support&kind=http&origin=tenant_custom&egress=write/);
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Egress", exact: true })).toHaveValue("write");
  await page.getByRole("link", { name: "refund_order" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Refund order" })).toBeVisible();
  await page.goBack();
  await expect(found).toHaveText("1 tool");
  await expect(page.getByRole("combobox", { name: "Category", exact: true })).toHaveValue("support");

  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("combobox", { name: "State", exact: true }).selectOption("blocked");
  await expect(page.getByRole("link", { name: "wipe_warehouse" })).toBeVisible();
  await page.goto("/tools");
  await page.getByRole("searchbox", { name: "Search tools" }).pressSequentially("custom");
  await expect(page.getByRole("link", { name: "find_customer" })).toBeVisible();
  await expect(page).toHaveURL(/search=custom/);
  await page.getByRole("searchbox").fill("xylophone quartz");
  await expect(page.getByRole("heading", { name: "No tool fits" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("link", { name: "find_customer" })).toBeVisible();
});

test("a keyboard is enough: search, move between the cards, open; and the palette finds a tool from anywhere", async ({ page, toolgate, signedInAs }) => {
  await furnish(toolgate);
  await signedInAs("member");
  await page.goto("/tools");
  await expect(page.getByRole("link", { name: "find_customer" })).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search tools" })).toBeFocused();
  await page.keyboard.type("support");
  await expect(page.getByRole("status").filter({ hasText: /^4 tools$/ })).toBeVisible();
  await page.getByRole("link", { name: "close_account" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("link", { name: "find_customer" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Find customer" })).toBeVisible();

  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await expect(palette).toBeVisible();
  await page.keyboard.type("refund");
  await expect(palette.getByRole("option", { name: /refund_order/ })).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/tools\/refund_order$/);
  await expect(async () => {
    // The second key counts soon after the first, which a busy machine may miss.
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await expect(page).toHaveURL(/\/tools$/, { timeout: 2_000 });
  }).toPass();
});

test("on a phone the filters are a sheet, and nothing moves sideways; in Spanish as well", async ({ page, toolgate, signedInAs }) => {
  await furnish(toolgate);
  await signedInAs("member");
  await page.setViewportSize(PHONE);
  await page.goto("/tools");
  await expect(page.getByRole("link", { name: "find_customer" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Filters" }).click();
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await sheet.getByLabel("Egress").selectOption("write");
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Show the tools" }).click();
  await expect(page.getByRole("button", { name: "1 filter" })).toBeVisible();
  await page.getByRole("button", { name: /^Account of / }).click();
  await page.getByRole("menuitemradio", { name: "Español" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Herramientas" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
  await expectNoSidewaysScroll(page);
});

test("more than a thousand tools are searched as one types, and the next page comes by itself", async ({ page, toolgate, signedInAs }) => {
  test.slow();
  const things = ["invoice", "order", "ticket", "parcel", "lead", "contract", "machine", "sensor", "shift", "route"];
  const names = Array.from({ length: 1_050 }, (_, index) => `check_${things[index % things.length] ?? ""}_${String(index).padStart(4, "0")}`);
  for (let from = 0; from < names.length; from += 25) {
    await Promise.all(names.slice(from, from + 25).map((name, index) => toolgate.addTool(name, { category: things[(from + index) % things.length], description: `Checks one ${name.split("_")[1] ?? ""} against the rules of its kind.` })));
  }
  await signedInAs("member");
  await page.goto("/tools?view=table");
  const grid = page.getByRole("grid", { name: "Tools" });
  await expect(grid).toBeVisible();
  await page.getByRole("searchbox").pressSequentially("check 1049");
  await expect(page.getByRole("status").filter({ hasText: /^1 tool$/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("status").filter({ hasText: "60 tools and more" })).toBeVisible();
  // Only what is in sight exists, however far one goes.
  await grid.getByRole("row").nth(1).focus();
  for (const seen of ["120 tools and more", "180 tools and more", "240 tools and more"]) {
    await page.keyboard.press("End");
    await expect(page.getByRole("status").filter({ hasText: seen })).toBeVisible();
  }
  expect(await grid.getByRole("row").count()).toBeLessThan(80);
  await expect(page.getByRole("combobox", { name: "Category", exact: true }).getByRole("option", { name: "sensor" })).toBeAttached();
});

test("an empty library says what a tool is and how one gets here; a server that is gone says so", OWN, async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(SERVER_GONE);
  await signedInAs("member");
  await page.goto("/tools?state=archived");
  await expect(page.getByRole("heading", { name: "No tool fits" })).toBeVisible();
  await toolgate.server.stop();
  await page.getByRole("combobox", { name: "State", exact: true }).selectOption("blocked");
  await expect(page.getByRole("heading", { name: "The server does not answer" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "The server does not answer" })).toBeVisible();
  await toolgate.server.startAgain();
  await expect(page.getByRole("heading", { name: "No tool fits" }), "it goes on by itself").toBeVisible({ timeout: 45_000 });
});
