import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";

test("an operator sets the tenant's limits, and takes them back @postgres", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/status of 4(00|22)/);
  await signedInAs("operator");
  await page.goto("/operate/settings");
  const tenant = page.getByRole("group", { name: "The whole tenant" });
  await tenant.first().getByLabel("Calls").fill("600");
  await tenant.last().getByLabel("in a day").fill("25");
  await tenant.last().getByLabel("in a month").fill("400");
  await page.getByLabel("Calls of an agent in a day").fill("250");
  await page.getByLabel("Turns of the model").fill("20");
  await page.getByLabel("What a run may touch").selectOption("read_only");
  await expectAccessible(page);
  await shot(page, "settings");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The settings are in force")).toBeVisible();
  expect(await toolgate.api.get("/api/settings")).toMatchObject({
    rate_limit: { limit: 600, window_s: 60 },
    agent_daily_calls: 250,
    budget: { daily: 25, monthly: 400 },
    guard: { max_iterations: 20, side_effects: "read_only" },
  });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByLabel("Turns of the model")).toHaveValue("");
  await expect.poll(async () => (await toolgate.api.get("/api/settings")).rate_limit ?? null).toBeNull();

  // The server has the last word, and its reason stands beside the button.
  await tenant.first().getByLabel("Calls").fill("2000000");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("limit (1 to 1,000,000)");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(tenant.first().getByLabel("Calls")).toHaveValue("");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});

test("a builder reads the limits and cannot change them; a member is told that they may not see them", async ({ page, signedInAs, anotherBrowser, guard }) => {
  guard.allow(/status of 403/);
  await signedInAs("builder");
  await page.goto("/operate/settings");
  await expect(page.getByText("You may read the settings, but not change them.")).toBeVisible();
  await expect(page.getByLabel("Turns of the model")).toBeDisabled();
  const max = await anotherBrowser("member");
  await max.goto("/operate/settings");
  await expect(max.getByRole("heading", { name: "You may not see this" })).toBeVisible();
});
