import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";

test("an admin brings a provider of models, changes its price, and removes it @postgres", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/status of 409/);
  await toolgate.api.put("/api/secrets/MODEL_KEY", { value: "sk-not-shown-anywhere", scope: "tenant" });
  await signedInAs("admin");
  await page.goto("/operate/providers");
  await expect(page.getByRole("heading", { name: "No provider of your own" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add a provider" }).first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Name", { exact: true }).fill("house");
  await drawer.getByLabel("Speaks").selectOption("anthropic");
  await drawer.getByLabel("Key", { exact: true }).fill("MODEL_KEY");
  await drawer.getByLabel("Name of model 1").fill("large-2026");
  await drawer.getByLabel("Input", { exact: true }).fill("3");
  await drawer.getByLabel("Output").fill("15");
  await drawer.getByRole("button", { name: "Add a model" }).click();
  await drawer.getByLabel("Name of model 2").fill("small-2026");
  await expectAccessible(page);
  await drawer.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("row", { name: /house/ })).toContainText("large-2026, small-2026");
  await toolgate.api.post("/api/providers", { name: "inside", api: "openai_compatible", base_url: "https://models.acme.example/v1", models: ["open-weights-70b"] });
  expect((await toolgate.api.get("/api/providers/house")).prices).toMatchObject({ "large-2026": { input: 3, output: 15 } });
  await page.reload();
  await shot(page, "providers");

  await page.getByRole("row", { name: /house/ }).click();
  await drawer.getByLabel("Output").first().fill("12");
  await drawer.getByLabel("Name", { exact: true }).fill("inside");
  await drawer.getByRole("button", { name: "Save" }).click();
  await expect(drawer.getByRole("alert"), "the name is another's").toBeVisible();
  await drawer.getByLabel("Name", { exact: true }).fill("house");
  await drawer.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("house was saved")).toBeVisible();
  await page.getByRole("row", { name: /house/ }).click();
  await expect(drawer.getByLabel("Output").first()).toHaveValue("12");
  await drawer.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("house was removed")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(page.getByRole("row", { name: /house/ })).toBeVisible();
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});

test("a builder may not send a secret anywhere, and reads why", async ({ page, signedInAs, guard }) => {
  guard.allow(/status of 403/);
  await signedInAs("builder");
  await page.goto("/operate/providers?provider=new");
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Name", { exact: true }).fill("mine");
  await drawer.getByLabel("Key", { exact: true }).fill("MODEL_KEY");
  await drawer.getByRole("button", { name: "Add", exact: true }).click();
  await expect(drawer.getByRole("alert")).not.toBeEmpty();
  await expect(drawer.getByLabel("Name", { exact: true })).toHaveValue("mine");
});
