import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";

test("a builder makes a profile, sees who uses it, and can't delete what is in use", async ({ page, toolgate, signedInAs, guard }) => {
  const agent = await toolgate.addAgent("researcher", { display_name: "Researcher" });
  await signedInAs("builder");
  await page.goto("/operate/profiles");
  await expect(page.getByRole("heading", { name: "No profiles yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make a profile" }).click();
  const form = page.getByRole("dialog", { name: "Make a profile" });
  await form.getByLabel("Name").fill("careful");
  await form.getByLabel("What it is for").fill("For tools that spend money");
  await form.getByRole("switch", { name: "Every call asks a person" }).click();
  await form.getByLabel("People who must agree").fill("2");
  await form.getByLabel("Most a day, in US dollars").fill("1.5");
  await form.getByLabel("Most calls").fill("30");
  await form.getByLabel("In how many seconds").fill("60");
  await form.getByLabel("Longest call, in seconds").fill("5");
  await expectAccessible(page);
  await form.getByRole("button", { name: "Make a profile" }).click();
  const row = page.getByRole("row", { name: /careful/ });
  await expect(row).toContainText("Every call asks");
  await expect(row).toContainText("30 calls in 1 min");
  await expect(row).toContainText("$1.50 a day");

  await toolgate.api.post(`/api/agents/${agent.id}/assignments`, { tool: "calculate", profile: "careful" });
  await page.reload();
  await expect(row).toContainText("1 assignment");
  await shot(page, "profiles");
  await row.click();
  const sheet = page.getByRole("dialog", { name: "Profile careful" });
  await expect(sheet.getByRole("region", { name: "Who uses it" })).toContainText("Researcher");
  await sheet.getByRole("button", { name: "Delete" }).click();
  guard.allow(/status of 409/);
  const confirm = page.getByRole("alertdialog");
  await expect(confirm).toContainText("1 assignment uses it.");
  await confirm.getByRole("button", { name: "Delete" }).click();
  await expect(confirm.getByRole("alert")).toContainText("one assignment uses this profile");
  await expectAccessible(page);
  await confirm.getByRole("button", { name: "Cancel" }).click();

  await sheet.getByLabel("Longest call, in seconds").fill("");
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("“careful” is changed.")).toBeVisible();
  await expect(row).not.toContainText("for a call");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row).toContainText("5 sec for a call");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});

test("a name that is taken is told, and a viewer only looks", async ({ page, toolgate, signedInAs, anotherBrowser, guard }) => {
  await toolgate.api.post("/api/profiles", { name: "careful", requires_approval: true });
  guard.allow(/status of 409/);
  await signedInAs("operator");
  await page.goto("/operate/profiles?profile=new");
  const form = page.getByRole("dialog", { name: "Make a profile" });
  await form.getByLabel("Name").fill("careful");
  await form.getByLabel("Name").press("Enter");
  await expect(form.getByRole("alert")).toContainText("there is a profile `careful` already");
  const other = await anotherBrowser("viewer");
  await other.goto("/operate/profiles");
  await other.getByRole("row", { name: /careful/ }).click();
  await expect(other.getByRole("dialog", { name: "Profile careful" }).getByLabel("Name")).toBeDisabled();
  await expect(other.getByRole("button", { name: "Save" })).toBeHidden();
});
