import { expect, expectAccessible, shot, test } from "../harness";
import { GREET, tab, field, write } from "../seeds/authoring";

test("a builder writes a tool by form alone, tries it, publishes it, and it is called on its page", async ({ page, guard, signedInAs }) => {
  // The server is asked while one writes, and says what is missing.
  guard.allow(/status of 422/);
  await signedInAs("builder");
  await page.goto("/admin/tools");
  await expect(page.getByRole("heading", { name: "No tools of your own yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "New tool" }).first().click();
  await field(page, "Name").fill("Greet-Person");
  await field(page, "Description").fill("Greets a person by name.");
  await expect(page.getByText("is neither camelCase nor snake_case").first()).toBeVisible();
  await field(page, "Name").fill("greet_person");
  await expectAccessible(page);

  await tab(page, "Execution").click();
  await page.getByRole("radio", { name: "Prompt" }).click();
  await page.getByRole("radio", { name: "Built in" }).click();
  await expect(field(page, "Built-in tool")).toHaveValue("render_template");
  await tab(page, "Schema").click();
  await page.getByRole("button", { name: "Add a field" }).click();
  await expect(field(page, "Key")).toBeFocused();
  await field(page, "Key").fill("name");
  await field(page, "Label").fill("Name of the person");
  await page.getByRole("checkbox", { name: "Must be filled in" }).check();
  await expectAccessible(page);

  await page.getByLabel("Name of the person required").fill("Ada");
  await page.getByRole("button", { name: "Run the test" }).click();
  await expect(page.getByText("Hello Ada!").first()).toBeVisible();
  await page.getByRole("button", { name: "Keep it as an example" }).click();
  await shot(page, "authoring-editor");
  await page.getByRole("button", { name: "Publish 1.0.0" }).click();
  await expect(page.getByText("greet_person@1.0.0 is published")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/tools\/greet_person/);
  await expect(page.getByText("No unsaved changes.")).toBeVisible();

  await page.getByRole("link", { name: "Open the tool" }).click();
  // The form of the test has a field of the same name: the page must be there first.
  await expect(page.getByRole("heading", { level: 1, name: "Greet person" })).toBeVisible();
  await page.getByLabel("Name of the person required").fill("Grace");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("Hello Grace!").first()).toBeVisible();
});

test("a published schema stays: the change is a new version, and the difference is told", async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(/status of 409/);
  await toolgate.addTool("greet", GREET);
  await signedInAs("builder");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto("/admin/tools/greet?section=schema");
  await page.getByRole("button", { name: /^name Name of the person/ }).click();
  await field(page, "Characters at most").fill("40");
  await expect(page.getByText("greet@1.0.0 is published, and its input_schema cannot change")).toBeVisible();

  // What is being written waits: over a reload, and when somebody is about to leave.
  await page.reload();
  await expect(page.getByText("its input_schema cannot change")).toBeVisible();
  await page.getByRole("link", { name: "Tools", exact: true }).first().click();
  await expect(page.getByRole("dialog", { name: "Leave what you are writing?" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Stay here" }).click();

  await page.getByRole("button", { name: "1.1.0" }).click();
  await expect(page.getByText("Ready: publishing makes version 1.1.0.")).toBeVisible();
  await page.getByRole("button", { name: "Publish 1.1.0" }).click();
  await expect(page.getByText("greet@1.1.0 is published")).toBeVisible();

  await tab(page, "Versions").click();
  const changed = page.getByRole("region", { name: "input_schema" });
  await expect(changed).toContainText("properties › name › maxLength");
  await expect(changed).toContainText("Before:80");
  await expect(changed).toContainText("After:40");
  await expectAccessible(page);
  await shot(page, "authoring-versions");
  await page.getByRole("button", { name: "What to do with greet@1.0.0" }).click();
  await page.getByRole("menuitem", { name: "Publish it again as the next version" }).click();
  await expect(page.getByText("1.0.0 is published again as greet@1.1.1")).toBeVisible();
  const now = await toolgate.api.get("/api/tools/greet");
  expect([now.version, now.input_schema.properties.name.maxLength]).toEqual(["1.1.1", 80]);
});

test("a Python tool says what it does while it is tried, and where it is wrong", async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(/status of 422/);
  await signedInAs("builder");
  await page.goto("/admin/tools/new");
  await field(page, "Name").fill("order_total");
  await field(page, "Description").fill("Adds up the prices of an order.");
  await tab(page, "Execution").click();
  await page.getByRole("radio", { name: "Python" }).click();
  await write(page, "Script", "total = (\n");
  await expect(page.getByRole("alert").filter({ hasText: /line/ }).first()).toBeVisible();
  await write(page, "Script", 'print("adding")\nprices = input.get("prices", [1, 2, 39])\n{"total": sum(prices)}\n');
  await expect(page.getByText("Ready: publishing makes version 1.0.0.")).toBeVisible();
  await page.getByRole("button", { name: "Run the test" }).click();
  await expect(page.getByRole("heading", { name: "Done" })).toBeVisible();
  await expect(page.getByText("42").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Publish 1.0.0" }).click();
  await expect(page.getByText("order_total@1.0.0 is published")).toBeVisible();
  const done = await toolgate.call("order_total", {});
  expect(done.output).toEqual({ total: 42 });
});

test("a schema of sixty fields goes from JSON to rows and back, whole, and opens as a form", async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(/status of 422/);
  // Sixty rows and a form of sixty fields are much for axe to look at.
  test.slow();
  const number = (index: number) => String(index + 1).padStart(2, "0");
  const fields = Array.from({ length: 59 }, (_, index) => [`field_${number(index)}`, { type: "string", title: `Field ${number(index)}`, maxLength: 100 }]);
  const schema = { type: "object", properties: { ...Object.fromEntries(fields), strange: { oneOf: [{ type: "string" }, { type: "integer" }], $comment: "kept" } }, required: ["field_59"], additionalProperties: false };
  await signedInAs("builder");
  await page.goto("/admin/tools/new");
  await field(page, "Name").fill("long_form");
  await field(page, "Description").fill("Takes sixty fields.");
  await tab(page, "Execution").click();
  await page.getByRole("radio", { name: "Built in" }).click();
  await tab(page, "Schema").click();
  await page.getByRole("radio", { name: "JSON Schema" }).first().click();
  await write(page, "Input, as JSON Schema", JSON.stringify(schema));
  await page.getByRole("radio", { name: "Fields" }).first().click();
  await expect(page.getByRole("list", { name: "Input" }).getByRole("listitem")).toHaveCount(60);
  await page.getByRole("button", { name: /^strange/ }).click();
  await expect(page.getByText("No control can show this field")).toBeVisible();
  await page.getByRole("button", { name: /^field_01/ }).click();
  await field(page, "Help text").fill("The first of many");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Publish 1.0.0" }).click();
  await expect(page.getByText("long_form@1.0.0 is published")).toBeVisible();
  const published = await toolgate.api.get("/api/tools/long_form");
  const wanted = structuredClone(schema) as { properties: Record<string, Record<string, unknown>> };
  wanted.properties["field_01"] = { ...wanted.properties["field_01"], description: "The first of many" };
  expect(published.input_schema).toEqual(wanted);
  await page.getByRole("link", { name: "Open the tool" }).click();
  await expect(page.getByLabel("Field 59 required")).toBeVisible();
  await expect(page.getByText("The first of many")).toBeVisible();
});

test("fields are written with the keyboard alone", async ({ page, signedInAs, guard }) => {
  guard.allow(/status of 422/);
  await signedInAs("builder");
  await page.goto("/admin/tools/new?section=schema");
  await page.getByRole("button", { name: "Add a field" }).focus();
  await page.keyboard.press("Enter");
  await expect(field(page, "Key")).toBeFocused();
  await page.keyboard.type("beta");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Number");
  await expect(field(page, "Type")).toHaveValue("number");
  const beta = page.getByRole("button", { name: /^beta/ });
  await beta.focus();
  await page.keyboard.press("Enter");
  await expect(beta).toHaveAttribute("aria-expanded", "false");
  await page.getByRole("button", { name: "Add a field" }).focus();
  await page.keyboard.press("Enter");
  await expect(field(page, "Key")).toBeFocused();
  await page.keyboard.type("alpha");
  await page.getByRole("button", { name: /^alpha/ }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(page.getByRole("list", { name: "Input" }).getByRole("listitem").first()).toContainText("alpha");
  await expect(page.getByRole("button", { name: /^alpha/ })).toBeFocused();
  await expect(page.getByLabel("beta required")).toBeVisible();
});
