import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";
import { GREET, tab, field } from "../seeds/authoring";

test("a tool that ships with the program is made stricter, switched off, and on again", async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(/status of 4(04|22)/);
  await signedInAs("operator");
  await page.goto("/admin/tools?tab=code");
  await page.getByRole("link", { name: "convert_units", exact: true }).click();
  await page.getByLabel("Risk").selectOption("high");
  await page.getByRole("switch", { name: "Every call waits for a person" }).click();
  await field(page, "Time for a call (ms)").fill("99999999");
  await page.getByRole("button", { name: "Save the override" }).click();
  const refusal = page.getByRole("alert").filter({ hasText: "can only be made stricter" });
  await expect(refusal).toBeVisible();
  await expect(field(page, "Time for a call (ms)")).toBeFocused();
  await field(page, "Time for a call (ms)").fill("1000");
  await page.getByRole("button", { name: "Save the override" }).click();
  await expect(page.getByText("convert_units is overridden")).toBeVisible();
  await expect(page.getByText("Overridden", { exact: true })).toBeVisible();
  const now = await toolgate.api.get("/api/tools/convert_units");
  expect([now.risk, now.requires_approval, now.timeout_ms]).toEqual(["high", true, 1000]);
  await expectAccessible(page);
  await shot(page, "authoring-override");

  await page.getByRole("switch", { name: "Switched on" }).click();
  await expect(page.getByRole("heading", { name: "convert_units is switched off" })).toBeVisible();
  await expectAccessible(page);
  expect((await toolgate.api.attempt("GET", "/api/tools/convert_units")).status).toBe(404);
  await page.goto("/admin/tools?tab=code");
  await field(page, "Open a tool by its name").fill("convert_units");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Switch it on" }).click();
  await expect(page.getByRole("button", { name: "Take everything back" })).toBeVisible();
  await page.getByRole("button", { name: "Take everything back" }).click();
  await expect(page.getByText("convert_units is as it ships")).toBeVisible();
});

test("before a tool goes, one sees who would notice; then it is deprecated, and renamed", async ({ page, toolgate, signedInAs }) => {
  await toolgate.addTool("greet", GREET);
  const scout = await toolgate.addAgent("scout", { display_name: "Scout" });
  await toolgate.call("greet", { name: "Ada" });
  await toolgate.call("greet", { name: "Grace" });
  await scout.api.attempt("POST", "/api/tools/greet/invoke", { name: "Scout" });
  await signedInAs("operator");
  await page.goto("/admin/tools/greet?section=lifecycle");
  const users = page.getByRole("table", { name: "Who still uses it" });
  await expect(users.getByRole("row").filter({ hasText: "2" }).first()).toBeVisible();
  await expectAccessible(page);
  await shot(page, "authoring-lifecycle");
  await page.getByRole("button", { name: "Deprecate" }).click();
  await expect(page.getByText("greet is deprecated")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 }).getByText("Deprecated")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("heading", { level: 1 }).getByText("Deprecated")).toBeHidden();

  await field(page, "New name").fill("say_hello");
  await field(page, "The old name works until").fill("2030-01-31");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rename" }).click();
  await expect(page).toHaveURL(/\/admin\/tools\/say_hello/);
  await expect(page.getByRole("listitem").filter({ hasText: "End it" })).toContainText("greetuntil Jan 31, 2030");
  const old = await toolgate.call("greet", { name: "Ada" });
  expect(old.output.text).toBe("Hello Ada!");
});

test("a file becomes a draft, and a tool becomes a file", async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(/status of 422/);
  const file = ["---", "name: say_goodbye", "version: 2.0.0", "description: Says goodbye.", "input_schema:", "  type: object", "  properties: {name: {type: string}}", "execution:", "  kind: builtin", "  handler: render_template", '  arguments: {template: "Bye {{ name }}!", values: "$input"}', "---", "# Goodbye", ""].join("\n");
  await signedInAs("builder");
  await page.goto("/admin/tools");
  await page.getByLabel("Import a file").first().setInputFiles({ name: "broken.md", mimeType: "text/markdown", buffer: Buffer.from("---\nname: &anchor x\n---\n") });
  await expect(page.getByText("broken.md could not be read")).toBeVisible();
  await page.getByLabel("Import a file").first().setInputFiles({ name: "TOOL.md", mimeType: "text/markdown", buffer: Buffer.from(file) });
  await expect(field(page, "Name")).toHaveValue("say_goodbye");
  await page.getByRole("button", { name: "Publish 2.0.0" }).click();
  await expect(page.getByText("say_goodbye@2.0.0 is published")).toBeVisible();
  expect((await toolgate.call("say_goodbye", { name: "Ada" })).output.text).toBe("Bye Ada!");
  await tab(page, "Definition").click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "TOOL.md" }).click();
  expect((await saved).suggestedFilename()).toBe("say_goodbye.TOOL.md");
});

test("who may not write tools is told so, by the page and by the server", async ({ page, toolgate, signedInAs }) => {
  await toolgate.addTool("greet", GREET);
  await signedInAs("viewer");
  for (const address of ["/admin/tools", "/admin/tools/new", "/admin/tools/greet"]) {
    await page.goto(address);
    await expect(page.getByRole("alert")).toContainText("You may look at tools in the library, but not write them.");
    await expectAccessible(page);
  }
});

test("una autora publica en español, desde un teléfono", async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(/status of 4(09|22)/);
  await toolgate.addTool("greet", GREET);
  await page.addInitScript(() => localStorage.setItem("toolgate.language", "es"));
  await page.setViewportSize(PHONE);
  await signedInAs("builder");
  await page.goto("/admin/tools");
  await expect(page.getByRole("heading", { name: "Autoría" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.getByRole("row").filter({ hasText: "greet" }).getByRole("link").click();
  await field(page, "Descripción").fill("Saluda a una persona por su nombre.");
  await expectNoSidewaysScroll(page);
  for (const section of ["Visibilidad", "Esquema", "Ejecución", "Versiones", "Ciclo de vida", "Definición"]) {
    await tab(page, section).click();
    await expect(tab(page, section)).toHaveAttribute("aria-selected", "true");
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  await page.getByRole("button", { name: "Guardar 1.0.0" }).click();
  await expect(page.getByText("greet@1.0.0 ha cambiado")).toBeVisible();
  expect((await toolgate.api.get("/api/tools/greet")).description).toBe("Saluda a una persona por su nombre.");
});
