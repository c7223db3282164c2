import { expect, expectAccessible, test } from "../harness";

test("a task is started, completed with its form, and the call that waited goes on", async ({ page, toolgate, signedInAs }) => {
  await toolgate.addTool("check_invoice", {
    description: "Has a person check an invoice",
    input_schema: { type: "object", properties: { customer: { type: "string" }, amount: { type: "number" } }, required: ["customer"] },
    output_schema: { type: "object", properties: { correct: { type: "boolean", title: "The invoice is correct" }, note: { type: "string", title: "Note", minLength: 1 } }, required: ["correct", "note"] },
    execution: { kind: "task", title: "Check the invoice of {{ customer }}", description: "Compare it with the **order**.", assignee: { role: "member" }, wait: true, output: "result", due_in_s: 86400 },
  });
  await signedInAs("member");
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "No work waits for you" })).toBeVisible();
  const waiting = toolgate.call("check_invoice", { customer: "Northwind", amount: 1200 });
  const card = page.getByRole("article", { name: "Check the invoice of Northwind" });
  await expect(card).toContainText("A call waits for the end of this task.");
  await expectAccessible(page);
  await card.getByRole("button", { name: "Start" }).click();
  await expect(card).toContainText("In progress");
  await card.getByRole("button", { name: "Complete…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Complete" }).click();
  await expect(dialog.getByRole("alert").first()).toBeVisible();
  await dialog.getByLabel(/The invoice is correct/).click();
  await dialog.getByLabel("Note required").fill("Matches the order.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Complete" }).click();
  await expect(page.getByText("Completed: Check the invoice of Northwind")).toBeVisible();
  await expect(card).toBeHidden();
  const answer = await waiting;
  const ended = await toolgate.api.get(`/api/invocations/${answer.invocation_id ?? answer.id}`);
  expect(ended.output).toMatchObject({ note: "Matches the order." });
});
