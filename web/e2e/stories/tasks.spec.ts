import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from "../harness";

const CHECK = {
  description: "Has a person check an invoice",
  input_schema: { type: "object", properties: { customer: { type: "string" }, amount: { type: "number" } }, required: ["customer"] },
  output_schema: { type: "object", properties: { correct: { type: "boolean", title: "The invoice is correct" }, note: { type: "string", title: "Note", minLength: 1 } }, required: ["correct", "note"] },
  execution: { kind: "task", title: "Check the invoice of {{ customer }}", description: "Compare it with the **order**.", assignee: { role: "member" }, wait: true, output: "result", due_in_s: 86400 },
};

test("a task is started, completed with its form, and the call that waited goes on", async ({ page, toolgate, signedInAs }) => {
  await toolgate.addTool("check_invoice", CHECK);
  await signedInAs("member");
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "No work waits for you" })).toBeVisible();
  const waiting = toolgate.call("check_invoice", { customer: "Northwind", amount: 1200 });
  const card = page.getByRole("article", { name: "Check the invoice of Northwind" });
  await expect(card).toContainText("A call waits for the end of this task.");
  await expectAccessible(page);
  await card.getByRole("button", { name: "Start" }).click();
  await expect(card).toContainText("In progress");
  await expect(card, "its button is gone, so the card has the focus").toBeFocused();
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
  const output = async () => (await toolgate.api.get(`/api/invocations/${answer.invocation_id ?? answer.id}`)).output as unknown;
  await expect.poll(output, "the call goes on in its own time").toMatchObject({ note: "Matches the order." });
});

test("a task that its call takes back leaves the inbox and says so; whoever is answering one keeps what they wrote", async ({ page, toolgate, signedInAs, guard }) => {
  await toolgate.addTool("check_invoice", CHECK);
  await signedInAs("member");
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "No work waits for you" })).toBeVisible();
  const calls = ["Northwind", "Contoso", "Fabrikam"].map((customer) => toolgate.api.attempt("POST", "/api/tools/check_invoice/invoke", { customer }));
  const card = (customer: string) => page.getByRole("article", { name: `Check the invoice of ${customer}` });
  await expect(page.getByRole("article")).toHaveCount(3);
  const tasks = (await toolgate.api.get("/api/tasks")).items as { id: string; title: string; invocation_id: string }[];
  const of = (customer: string) => tasks.find(({ title }) => title.endsWith(customer));

  await toolgate.api.post(`/api/invocations/${String(of("Northwind")?.invocation_id)}/cancel`);
  await expect(page.getByText("“Check the invoice of Northwind” is not needed any more")).toBeVisible();
  await expect(card("Northwind")).toBeHidden();

  // The call ends while its task is being answered.
  await card("Contoso").getByRole("button", { name: "Complete…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note required").fill("Two lines are missing.");
  await toolgate.api.post(`/api/invocations/${String(of("Contoso")?.invocation_id)}/cancel`);
  await expect(dialog.getByRole("alert")).toContainText("“Check the invoice of Contoso” is not needed any more");
  await expect(dialog.getByRole("alert")).toContainText("The call that waited for it has ended.");
  await expect(dialog.getByLabel("Note required"), "it can still be copied").toHaveValue("Two lines are missing.");
  await expect(dialog.getByRole("button", { name: "Complete" })).toBeDisabled();
  await page.setViewportSize(PHONE);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  // Somebody cancels it elsewhere, and this page does not hear of it in time: the answer is refused, and says why.
  guard.allow(/status of 409/, /ERR_FAILED/);
  await card("Fabrikam").getByRole("button", { name: "Complete…" }).click();
  await dialog.getByLabel(/The invoice is correct/).click();
  await dialog.getByLabel("Note required").fill("Matches the order.");
  await page.route(/\/api\/tasks(\/tsk_[^/]*)?(\?|$)/, (route) => route.abort());
  await toolgate.api.post(`/api/tasks/${String(of("Fabrikam")?.id)}/cancel`, { reason: "it was paid in cash" });
  const refused = page.waitForResponse((response) => response.url().endsWith("/complete") && response.status() === 409);
  await dialog.getByRole("button", { name: "Complete" }).click();
  await refused;
  await expect(dialog.getByRole("alert")).toContainText("is cancelled already");
  await page.unroute(/\/api\/tasks(\/tsk_[^/]*)?(\?|$)/);
  await expect(dialog.getByRole("alert")).toContainText("cancelled “Check the invoice of Fabrikam”", { timeout: 30_000 });
  await expect(dialog.getByRole("alert")).toContainText("it was paid in cash");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "No work waits for you" })).toBeVisible();
  await Promise.all(calls);
});
