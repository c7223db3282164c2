import { expect, expectAccessible, expectNoSidewaysScroll, OWN, PASSWORD, PHONE, shot, signIn, test } from "../harness";
import type { House } from "../harness/house";

const TEAM = [
  ["Amara Okafor", "amara.okafor", "builder"],
  ["Bjørn Dahl", "bjorn.dahl", "approver"],
  ["Chen Wei", "chen.wei", "operator"],
  ["Dolores Vega", "dolores.vega", "member"],
  ["Emil Novák", "emil.novak", "viewer"],
] as const;

async function employ(toolgate: House): Promise<{ support: string; finance: string }> {
  const support = (await toolgate.api.post("/api/workspaces", { slug: "support", name: "Customer support" })).id as string;
  const finance = (await toolgate.api.post("/api/workspaces", { slug: "finance", name: "Finance" })).id as string;
  for (const [name, email, role] of TEAM) {
    const workspaces = role === "operator" ? [support, finance] : role === "approver" ? [finance] : [support];
    await toolgate.addPerson({ email: `${email}@acme.example`, name, roles: [role], workspaces });
  }
  return { support, finance };
}

test("an admin adds a person with a password, who then signs in @postgres", OWN, async ({ page, toolgate, signedInAs, guard, browser }) => {
  guard.allow(/status of 409/);
  await employ(toolgate);
  await signedInAs("admin");
  await page.goto("/operate/people");
  await expect(page.getByRole("grid", { name: "People" })).toContainText("Bjørn Dahl");
  await expectAccessible(page);
  await shot(page, "people");
  await page.getByRole("button", { name: "Add a person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Freya Lund");
  await dialog.getByLabel("Email").fill("bjorn.dahl@acme.example");
  await dialog.getByRole("checkbox", { name: "approver" }).check();
  await dialog.getByRole("checkbox", { name: "Finance" }).check();
  await dialog.getByRole("button", { name: "Make one" }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("alert"), "what was typed stays").toContainText("there is a user with the address bjorn.dahl@acme.example already");
  await dialog.getByLabel("Email").fill("freya.lund@acme.example");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  const told = page.getByRole("dialog", { name: "Freya Lund was added" });
  const password = await told.locator("code").last().innerText();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(told, "a stray key does not lose it").toBeVisible();
  await told.getByRole("button", { name: "I have kept it" }).click();
  await expect(page.getByRole("grid", { name: "People" })).toContainText("freya.lund@acme.example");

  const other = await (await browser.newContext({ baseURL: toolgate.url })).newPage();
  await signIn(other, { id: "", email: "freya.lund@acme.example", name: "Freya Lund", password });
  await expect(other.getByRole("button", { name: "Account of Freya Lund" })).toBeVisible();
  await other.context().close();
});

test("roles and teams are changed in the drawer, deactivating shuts out at once, and each has its way back", async ({ page, toolgate, signedInAs }) => {
  await employ(toolgate);
  await signedInAs("admin");
  await page.goto("/operate/people?search=dol");
  await page.getByRole("row", { name: /Dolores Vega/ }).click();
  const drawer = page.getByRole("dialog", { name: "Dolores Vega" });
  await drawer.getByRole("checkbox", { name: "approver" }).check();
  await drawer.getByRole("checkbox", { name: "Finance" }).check();
  await drawer.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Dolores Vega was saved")).toBeVisible();
  const dolores = async () => (await toolgate.api.get("/api/users")).items.find(({ email }: { email: string }) => email === "dolores.vega@acme.example");
  expect((await dolores()).roles).toEqual(["member", "approver"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(drawer.getByRole("checkbox", { name: "approver" })).not.toBeChecked();
  await expect.poll(async () => (await dolores()).roles).toEqual(["member"]);
  await expectAccessible(page);

  await drawer.getByRole("button", { name: "Deactivate" }).click();
  await expect(page.getByText("Dolores Vega gets in no more")).toBeVisible();
  await expect(drawer.getByRole("button", { name: "Activate", exact: true })).toBeVisible();
  const refused = await page.request.post("/api/auth/login", { data: { email: "dolores.vega@acme.example", password: PASSWORD } });
  expect(refused.status()).toBe(401);
  await page.reload();
  await expect(drawer, "the drawer is in the address").toBeVisible();
  await drawer.getByRole("button", { name: "Activate", exact: true }).click();
  await expect(page.getByText("Dolores Vega can sign in again")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.setViewportSize(PHONE);
  await expect(page.getByText("dolores.vega@acme.example")).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test("a role of one's own is made, given, and cannot be deleted while somebody has it", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/status of 409/);
  await signedInAs("admin");
  await page.goto("/operate/roles");
  const matrix = page.getByRole("table", { name: "Roles" });
  await expect(matrix.getByRole("row", { name: /Approve or reject calls/ })).toBeVisible();
  await page.getByRole("button", { name: "New role" }).click();
  const drawer = page.getByRole("dialog", { name: "New role" });
  await drawer.getByLabel("Name").fill("viewer");
  await expect(drawer.getByRole("alert")).toHaveText("There is a role of this name already.");
  await drawer.getByLabel("Name").fill("auditor");
  await drawer.getByRole("checkbox", { name: /See, verify and export the audit trail/ }).check();
  await drawer.getByRole("checkbox", { name: /See calls, receipts/ }).check();
  await drawer.getByLabel("Other permissions").fill("reports.team.publish");
  await expectAccessible(page);
  await drawer.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("The role auditor was saved")).toBeVisible();
  await expect(matrix.getByRole("row", { name: /reports\.team\.publish/ }).getByText("yes")).toHaveCount(2);
  await expectAccessible(page);
  await shot(page, "roles");

  const emil = await toolgate.addPerson({ email: "emil@acme.example", name: "Emil Novák", roles: ["auditor"] });
  const remove = async () => {
    await page.getByRole("button", { name: "Actions for auditor" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
  };
  await remove();
  await expect(page.getByText("one person has this role: take it from them first")).toBeVisible();
  await toolgate.api.patch(`/api/users/${emil.id}`, { roles: ["viewer"] });
  await remove();
  await expect(page.getByText("The role auditor was deleted")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Actions for auditor" })).toBeVisible();
  await page.setViewportSize(PHONE);
  await expect(page.getByText("12 permissions").first().or(page.getByText("3 permissions").first())).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test("who may look but not change sees no buttons, and who may not look is told so", async ({ page, toolgate, signedInAs, anotherBrowser, guard }) => {
  guard.allow(/status of 403/);
  await employ(toolgate);
  await signedInAs("operator");
  await page.goto("/operate/people");
  await page.getByRole("row", { name: /Chen Wei/ }).click();
  await expect(page.getByRole("dialog", { name: "Chen Wei" }).getByRole("checkbox", { name: "operator" })).toBeDisabled();
  await expect(page.getByRole("button", { name: /Save|Deactivate|Add a person/ })).toHaveCount(0);
  const vera = await anotherBrowser("viewer");
  await vera.goto("/operate/people");
  await expect(vera.getByRole("heading", { name: "You may not see this" })).toBeVisible();
  await expect(vera.getByRole("link", { name: "People" }), "and no way leads there").toHaveCount(0);
  await expectAccessible(vera);
  await vera.goto("/operate/tenants");
  await expect(vera.getByRole("heading", { name: "You may not see this" })).toBeVisible();
});

test("a team is made, and people join and leave it", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/status of 409/);
  await signedInAs("admin");
  await page.goto("/operate/workspaces");
  await expect(page.getByRole("heading", { name: "No workspaces" })).toBeVisible();
  await expectAccessible(page);
  await employ(toolgate);
  await page.reload();
  await page.getByRole("button", { name: "New workspace" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Finance");
  await expect(dialog.getByLabel("Short name")).toHaveValue("finance");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(dialog.getByRole("alert")).toContainText("the slug `finance` is taken");
  await dialog.getByLabel("Name", { exact: true }).fill("Field service");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("The workspace Field service was created")).toBeVisible();
  await page.getByRole("row", { name: /Field service/ }).click();
  const drawer = page.getByRole("dialog", { name: "Field service" });
  await drawer.getByRole("combobox", { name: "Add a member" }).click();
  await page.getByRole("option", { name: /Amara Okafor/ }).click();
  await expect(page.getByText("Amara Okafor is a member now")).toBeVisible();
  await expectAccessible(page);
  await drawer.getByRole("button", { name: "Remove Amara Okafor" }).click();
  await expect(drawer.getByText("Nobody yet")).toBeVisible();
});

test("the installation's admin makes a tenant with its first key, and archives it", OWN, async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/status of 409/);
  await toolgate.addTenant("north", "North Ltd");
  await signedInAs("admin");
  await page.goto("/operate/tenants");
  await page.getByRole("button", { name: "New tenant" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Acme España");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create" }).click();
  const told = page.getByRole("dialog", { name: "The tenant Acme España was created" });
  const key = await told.locator("code").first().innerText();
  expect((await toolgate.api.withKey(key).get("/api/auth/me")).tenant).toBe("acme-espana");
  await expectAccessible(page);
  await told.getByRole("button", { name: "I have kept it" }).click();
  await page.getByRole("button", { name: "Archive Acme España" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Archive" }).click();
  await expect(page.getByRole("row", { name: /Acme España/ })).toContainText("Archived");
  expect((await toolgate.api.withKey(key).attempt("GET", "/api/auth/me")).status).toBe(401);
  await expect(page.getByRole("button", { name: "Archive Default" }), "the wall one stands on").toHaveCount(0);
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});
