import { expect, expectAccessible, OWN, test } from "../harness";

test("one person alone gets from the first link to a write that they approve", OWN, async ({ page, toolgate, guard }) => {
  guard.allow(/status of (401|403)/);
  await page.goto(toolgate.server.firstLink);
  await expect(page.getByRole("heading", { name: "Make the first account" })).toBeVisible();
  await page.getByLabel("Name").fill("Joan");
  await page.getByLabel("Email").fill("joan@example.org");
  await page.getByLabel("Password").fill("correct horse battery staple");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make the account" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();

  // The key of the first start is hers now: what it asks, she asked.
  await toolgate.addTool("announce", { egress_class: "write" });
  const asked = await toolgate.call("announce", { ms: 1 });
  await page.goto(`/invocations/${String(asked.id ?? asked.invocation_id)}`);
  await page.getByRole("button", { name: "Nobody else can?" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Approve my own call" }).click();
  await expect.poll(async () => (await toolgate.api.get(`/api/invocations/${String(asked.id ?? asked.invocation_id)}`)).approval_reason).toBe("self");

  // With a second approver this ends.
  await toolgate.person("approver");
  const again = await toolgate.call("announce", { ms: 2 });
  await page.goto(`/invocations/${String(again.id ?? again.invocation_id)}`);
  await page.getByRole("button", { name: "Nobody else can?" }).click();
  await page.getByRole("button", { name: "Approve my own call" }).click();
  await expect(page.getByRole("dialog").getByText("another person who holds approvals:decide must agree")).toBeVisible();

  await page.goto(toolgate.server.firstLink);
  await page.getByLabel("Name").fill("Eve");
  await page.getByLabel("Email").fill("eve@example.org");
  await page.getByLabel("Password").fill("correct horse battery staple");
  await page.getByRole("button", { name: "Make the account" }).click();
  await expect(page.getByText("this link does not make the first account")).toBeVisible();
});
