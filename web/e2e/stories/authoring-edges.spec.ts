import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from "../harness";
import { addField, beginTool, field, GREET, publish, run, tab, tryIt, write } from "../seeds/authoring";

test("a tool is deleted, found among the deleted ones, and had back", async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(/status of 404/);
  await toolgate.addTool("greet", GREET);
  await signedInAs("builder");
  await page.goto("/admin/tools/greet?section=lifecycle");
  await page.getByRole("button", { name: "Delete the tool" }).click();
  const asked = page.getByRole("alertdialog", { name: "Delete greet?" });
  await expect(asked).toContainText("Its receipts stay, and it can be restored.");
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Delete the tool" })).toBeFocused();
  await page.getByRole("button", { name: "Delete the tool" }).click();
  await asked.getByRole("button", { name: "Delete the tool" }).click();
  await expect(page.getByText("greet is deleted")).toBeVisible();
  await expect(page.getByRole("heading", { name: "No tools of your own yet" })).toBeVisible();
  expect((await toolgate.api.attempt("POST", "/api/tools/greet/invoke", { name: "Ada" })).status).toBe(404);

  await page.getByLabel("State").selectOption("Deleted");
  await page.getByRole("row").filter({ hasText: "greet" }).getByRole("link").click();
  await expect(page.getByRole("heading", { name: "greet was deleted" })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Restore 1.0.0" }).click();
  await expect(page.getByText("greet@1.0.1 is published")).toBeVisible();
  await expect(tab(page, "Execution")).toBeVisible();
  expect((await toolgate.call("greet", { name: "Ada" })).output.text).toBe("Hello Ada!");
});

test("another name leads to a tool for a while: it works, warns, and ends", async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(/status of 4(04|22)/);
  await toolgate.addTool("greet", GREET);
  await signedInAs("builder");
  await page.goto("/admin/tools/greet?section=lifecycle");
  await expect(page.getByText("No other name leads here.")).toBeVisible();
  const add = async (alias: string) => {
    await field(page, "Another name").fill(alias);
    await field(page, "It works until").fill("2030-01-31");
    await page.getByRole("button", { name: "Add the name" }).click();
  };
  await add("calculate");
  await expect(page.getByRole("alert")).toContainText("`calculate` is the name of a tool; an alias would never be reached");
  await expectAccessible(page);
  await add("salute");
  await expect(page.getByText("salute leads to greet")).toBeVisible();
  await expect(page.getByRole("alert")).toBeHidden();

  // People and programs reach it by that name, and read that it ends.
  await page.goto("/tools/salute");
  await page.getByLabel("Name of the person required").fill("Ada");
  await run(page);
  await expect(page.getByText("Hello Ada!").first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Warnings" })).toContainText("`salute` is an alias of `greet` until 2030-01-31");
  await page.goto("/admin/tools/salute");
  await expect(page.getByRole("heading", { name: "salute is another name of greet" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Copy as a new tool" })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open greet" }).click();
  await tab(page, "Lifecycle").click();
  await expect(page.getByRole("table", { name: "Who still uses it" })).toContainText("as salute");

  await page.getByRole("button", { name: "End it: salute" }).click();
  await expect(page.getByText("salute has ended")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "End it: salute" }).click();
  await expect(page.getByText("No other name leads here.")).toBeVisible();
  await page.goto("/tools/salute");
  await expect(page.getByRole("alert")).toContainText("call `greet`");
  await page.goto("/admin/tools/salute");
  await expect(page.getByRole("alert")).toContainText("call `greet`");
});

test("a copy is a draft of its own, and never takes the place of another one unasked", async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(/status of 422/);
  await toolgate.addTool("greet", GREET);
  await toolgate.addTool("wave", GREET);
  await signedInAs("builder");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto("/admin/tools/greet");
  await page.getByRole("link", { name: "Copy as a new tool" }).click();
  await expect(field(page, "Name")).toHaveValue("greet_copy");
  await field(page, "Name").fill("welcome");
  await page.reload();
  await expect(field(page, "Name"), "a reload does not begin the copy again").toHaveValue("welcome");

  await page.getByRole("link", { name: "Authoring" }).first().click();
  await page.getByRole("dialog", { name: "Leave what you are writing?" }).getByRole("button", { name: "Leave, keep the draft" }).click();
  await expect(page.getByText("You are writing a new tool that is not published yet.")).toBeVisible();
  await page.getByRole("link", { name: "wave", exact: true }).click();
  await page.getByRole("link", { name: "Copy as a new tool" }).click();
  await expect(page.getByRole("heading", { name: "You are writing welcome already" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Go on writing" }).click();
  await expect(field(page, "Name")).toHaveValue("welcome");
  await publish(page, "welcome@1.0.0");
  expect((await toolgate.call("welcome", { name: "Ada" })).output.text).toBe("Hello Ada!");

  // A file asks as well; and what is discarded on leaving is gone.
  await page.goto("/admin/tools/new?copy=wave");
  await expect(field(page, "Name")).toHaveValue("wave_copy");
  await page.getByRole("link", { name: "Authoring" }).first().click();
  await page.getByRole("button", { name: "Leave, keep the draft" }).click();
  const strange = { kind: "http", url: "https://shop.example/orders", query: {}, headers: "none", timeout_ms: "30" };
  const file = { name: "tool.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ ...GREET, name: "wave", version: "1.0.0", timeout_ms: true, execution: strange })) };
  await page.getByLabel("Import a file").first().setInputFiles(file);
  await page.getByRole("alertdialog", { name: "Take the file instead of what you are writing?" }).getByRole("button", { name: "Take the file" }).click();
  await expect(field(page, "Name")).toHaveValue("wave");
  await page.getByRole("tab", { name: /^Execution/ }).click();
  await expect(field(page, "Time for a call (ms)"), "what no control means is shown as it is").toHaveValue("true");
  await page.getByRole("radio", { name: "Built in" }).click();
  await field(page, "Time for a call (ms)").fill("900");
  await expect(page.getByText("There is a tool wave already: publishing changes its version 1.0.0.")).toBeVisible();
  await page.getByRole("link", { name: "Authoring" }).first().click();
  await page.getByRole("button", { name: "Leave and discard" }).click();
  await expect(page.getByRole("row").filter({ hasText: "wave" })).toBeVisible();
  await expect(page.getByText("You are writing a new tool")).toBeHidden();
});

test("what cannot work says why: an address inside, a model that nobody set up, a step that nobody knows", async ({ page, guard, signedInAs }) => {
  guard.allow(/status of 422/);
  await signedInAs("builder");
  await beginTool(page, "read_inside", "Reads something inside.", "HTTP request");
  await field(page, "Address").fill("ftp://127.0.0.1/secrets");
  await expect(page.getByRole("alert").filter({ hasText: "begins with https:// or http://" })).toBeVisible();
  await field(page, "Address").fill("http://127.0.0.1:9/secrets");
  await expect(page.getByRole("alert").filter({ hasText: "127.0.0.1 is a loopback address, which tools may not reach unless the operator allows it" })).toBeVisible();
  await tryIt(page);
  await expect(page.getByText("The call was not made")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("radio", { name: "Prompt" }).click();
  await write(page, "What is said", "Say something.");
  await tryIt(page);
  await expect(page.getByText("no model is set up", { exact: false }).first()).toBeVisible();
  await expect(page.getByText("No model provider is set up here.")).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Model providers" })).toBeVisible();
  await expect(page.getByText("A secret is missing")).toBeHidden();
  await expectAccessible(page);

  await page.getByRole("radio", { name: "Composition" }).click();
  // Nothing is written yet, so nothing is wrong yet; who publishes all the same is told.
  await expect(page.getByText("No steps yet.")).toBeVisible();
  await page.getByRole("button", { name: "Publish 1.0.0" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "a composition has 1 to 50 steps" }).first()).toBeVisible();
  await page.getByRole("button", { name: "Add a step" }).click();
  await field(page, "Tool").fill("find_ordr");
  await expect(page.getByRole("alert").filter({ hasText: "there is no tool `find_ordr`" })).toBeVisible();
  await addField(page, "order", "Order");
  await expect(page.getByRole("tab", { name: "Execution Something to mend here" })).toBeVisible();
  await page.getByRole("button", { name: /steps › 0 › tool/ }).click();
  await expect(field(page, "Tool")).toBeFocused();
  await expectAccessible(page);
});
