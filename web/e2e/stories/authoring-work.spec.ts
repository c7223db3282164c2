import type { Locator } from "@playwright/test";

import { expect, expectAccessible, expectNoSidewaysScroll, DESKTOP, PHONE, test } from "../harness";
import { addField, beginTool, ended, field, openTool, publish, run, tab, tryIt, write } from "../seeds/authoring";

// The server is asked while one writes, and says what is missing.
test.beforeEach(({ guard }) => guard.allow(/status of 422/));

test("work for a person is written, tried and called: the call waits, and goes on with what the inbox answered", async ({ page, signedInAs, anotherBrowser }) => {
  await signedInAs("builder");
  await beginTool(page, "check_invoice", "Has a person check an invoice.", "Task for a person");
  await field(page, "Title").fill("Check the invoice of {{ customer }}");
  await field(page, "What to do").fill("Compare it with the **order**.");
  await field(page, "For a role").fill("member");
  await expect(field(page, "It answers with")).toBeHidden();
  await page.getByRole("switch", { name: "The call waits for it" }).click();
  await field(page, "It answers with").selectOption("The result alone");
  await expectAccessible(page);
  await addField(page, "customer", "Customer");
  await page.getByRole("button", { name: "Describe the answer" }).click();
  await page.getByRole("button", { name: "Add a field" }).last().click();
  const answer = page.getByRole("list", { name: "Output" });
  await answer.getByLabel("Key", { exact: true }).fill("finding");
  await answer.getByLabel("Label", { exact: true }).fill("What you found");
  await answer.getByRole("checkbox", { name: "Must be filled in" }).check();
  await page.getByLabel("Customer required").fill("Northwind");
  await tryIt(page);
  await expect(page.getByRole("heading", { name: "Waiting for somebody's work" })).toBeVisible();
  await expect(page.getByText("nobody approves their own call")).toBeHidden();
  await expectAccessible(page);

  const max = await anotherBrowser("member");
  await max.goto("/inbox?show=tasks");
  const card = (title: string) => max.getByRole("article", { name: title });
  await card("[test] Check the invoice of Northwind").getByRole("button", { name: "Complete…" }).click();
  // What is only tried is published nowhere, so its answer is JSON. The server says what does not fit.
  const dialog = max.getByRole("dialog");
  await dialog.getByRole("button", { name: "Complete", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("finding");
  await dialog.getByRole("textbox", { name: "Result" }).fill('{"finding": "It matches the order."}');
  await expectAccessible(max);
  await dialog.getByRole("button", { name: "Complete", exact: true }).click();
  await expect(ended(page, "Done")).toBeVisible();
  await expect(page.getByText("It matches the order.")).toBeVisible();

  await publish(page, "check_invoice@1.0.0");
  await openTool(page, "Check invoice");
  await page.getByLabel("Customer required").fill("Blue Yonder");
  await run(page);
  await expect(page.getByRole("link", { name: "It waits for a task" })).toBeVisible();
  await card("Check the invoice of Blue Yonder").getByRole("button", { name: "Complete…" }).click();
  await max.getByRole("dialog").getByLabel("What you found required").fill("One line is missing.");
  await max.getByRole("dialog").getByRole("button", { name: "Complete", exact: true }).click();
  await expect(ended(page, "Done")).toBeVisible();
  await expect(page.getByText("One line is missing.")).toBeVisible();
});

test("tools are put together: in their order, at the same time, and only when it is needed", async ({ page, signedInAs }) => {
  await signedInAs("builder");
  await beginTool(page, "quote_price", "Adds up prices and says what they make.", "Composition");
  const steps = page.getByRole("list").filter({ has: page.getByRole("button", { name: /^Remove 1\./ }) });
  const step = (index: number, list: Locator = steps.first()) => list.locator("> li").nth(index);
  const fill = async (place: Locator, id: string, tool: string, input: object) => {
    await place.getByLabel("Name of the step", { exact: true }).fill(id);
    await place.getByLabel("Tool", { exact: true }).fill(tool);
    await place.getByRole("textbox", { name: "Its input" }).fill(JSON.stringify(input));
  };
  const add = page.getByRole("button", { name: "Add a step" });
  await add.click();
  await expect(step(0).getByLabel("Name of the step", { exact: true })).toBeFocused();
  await fill(step(0), "words", "render_template", { template: "That makes {{ result }} EUR.", values: "$steps.sum.output" });
  await expect(page.getByRole("alert").filter({ hasText: "there is no step `sum`" })).toBeVisible();
  await add.click();
  await fill(step(1), "sum", "calculate", { expression: "$input.prices" });
  // What a step uses stands before it: the second one moves up, and the focus with it.
  await page.getByRole("button", { name: "Move 2. sum up" }).click();
  await expect(page.getByRole("button", { name: "Move 1. sum down" })).toBeFocused();
  await page.getByRole("button", { name: "Add a parallel group" }).click();
  const group = step(2);
  for (const [index, who] of ["Pia", "Olga"].entries()) {
    await group.getByRole("button", { name: "Add a step" }).click();
    const inner = step(index, group.getByRole("list"));
    await fill(inner, who.toLowerCase(), "render_template", { template: `Ask ${who} first.` });
    await inner.getByLabel("Only when").fill("steps.sum.output.number > `100`");
  }
  await write(page, "The answer", '{"text": "$steps.words.output.text", "advice": ["$steps.pia.output.text", "$steps.olga.output.text"]}');
  await expectAccessible(page);
  await addField(page, "prices", "Prices");
  await page.getByLabel("Prices required").fill("19 + 23");
  await tryIt(page);
  await expect(page.getByText("That makes 42 EUR.")).toBeVisible();
  await expect(page.getByText(/Ask Pia first/)).toBeHidden();
  await tab(page, "Execution").click();
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await publish(page, "quote_price@1.0.0");
  await openTool(page, "Quote price");
  await page.getByLabel("Prices required").fill("90 + 23");
  await run(page);
  await expect(page.getByText("That makes 113 EUR.")).toBeVisible();
  await expect(page.getByText(/Ask Pia first/)).toBeVisible();
});
