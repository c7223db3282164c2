import { expect, expectAccessible, shot, test } from "../harness";
import { script } from "../harness/model";
import { addClerk, permit } from "../seeds/agents";

const RULES = [
  { after_tool: "calculate", replies: [{ text: "That is 19.75 altogether.", usage: { input_tokens: 420, output_tokens: 18 }, cost_estimate: 0.0021 }] },
  { contains: "paid", replies: [{ tool_calls: [{ name: "calculate", arguments: { expression: "12.50 + 7.25" } }], usage: { input_tokens: 380, output_tokens: 24 }, cost_estimate: 0.0019 }] },
  { replies: [{ text: "Nothing is overdue.", usage: { input_tokens: 300, output_tokens: 6 }, cost_estimate: 0.001 }] },
];
test.use({ serverArgs: ["--model-script", script(RULES)] });

test("what an agent did is on its page, and its settings are saved or left on purpose", async ({ page, toolgate, signedInAs }) => {
  const clerk = await addClerk(toolgate);
  await toolgate.api.patch(`/api/agents/${clerk.id}`, { model: null });
  await permit(toolgate, clerk.id, { calculate: "always_allow" });
  for (const message of ["Which invoices are overdue this week?", "Kim paid 12.50 and 7.25. How much is that?"]) await toolgate.api.post("/api/runs", { agent: "invoice-clerk", message });
  await signedInAs("operator");
  await page.goto(`/agents/${clerk.id}`);
  await expect(page.getByRole("list", { name: "Last runs" }).getByRole("listitem")).toHaveCount(2);
  await expect(page.getByRole("list", { name: "Last runs" })).toContainText("Completed");
  await expect(page.locator(".recharts-surface").first()).toBeVisible();
  await expectAccessible(page);
  await shot(page, "agent");
  await expect(page.getByRole("link", { name: "Chat", exact: true }).last()).toHaveAttribute("href", "/chat?agent=invoice-clerk");

  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByLabel("Calls at most").fill("5");
  await page.getByRole("tab", { name: "Overview" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("Leave without saving?");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Invoice Clerk was saved")).toBeVisible();
  expect((await toolgate.api.get(`/api/agents/${clerk.id}`)).guard).toEqual({ max_tool_calls: 5, max_budget: 2.5 });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByLabel("Calls at most")).toHaveValue("20");
});

test("an agent is paused, run from its page, and archived for good", async ({ page, toolgate, signedInAs }) => {
  const clerk = await addClerk(toolgate);
  await toolgate.api.patch(`/api/agents/${clerk.id}`, { model: null });
  await permit(toolgate, clerk.id, { calculate: "always_allow" });
  await signedInAs("operator");
  await page.goto(`/agents/${clerk.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await expect(page.getByText("This agent is paused")).toBeVisible();
  await page.getByRole("listitem").filter({ hasText: "Invoice Clerk is paused" }).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("This agent is paused")).toBeHidden();

  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("Ann paid 12.50 and 7.25. How much is that?");
  await expectAccessible(page);
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(/\/runs\/run_/);

  await page.goto(`/agents/${clerk.id}`);
  await expect(page.getByRole("list", { name: "Last runs" }).getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("This agent is archived.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeHidden();
  await page.goto("/agents");
  await expect(page.getByRole("heading", { name: "No agents yet" })).toBeVisible();
  await page.goto("/agents?status=archived");
  await expect(page.getByRole("row").filter({ hasText: "Invoice Clerk" })).toBeVisible();
});
