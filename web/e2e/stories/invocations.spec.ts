import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";
import { addReleaseDesk } from "../seeds/approvals";
import { addCalls, openAllCalls } from "../seeds/calls";

test("a call tells everything: values, result, decision, timeline and a verified receipt", async ({ page, toolgate, signedInAs }) => {
  const { ask } = await addReleaseDesk(toolgate);
  const asked = await ask("{{ product }} {{ version }} is out.");
  const pia = await toolgate.as("approver", ["tools:read", "invocations:read", "approvals:decide"]);
  await pia.post(`/api/invocations/${asked.id}/approve`, {});
  await expect.poll(async () => (await toolgate.api.get(`/api/invocations/${asked.id}`)).status).toBe("completed");
  await signedInAs("operator");
  await page.goto(`/tools?invocation=${asked.id}`);
  const drawer = page.getByRole("dialog", { name: "Call of announce_release" });
  await expect(drawer.getByRole("tree", { name: "Input" })).toContainText("is out.");
  await expect(drawer.getByRole("tree", { name: "Output" })).toContainText("Atlas 4.2 is out.");
  await expect(drawer.getByText("Completed").first()).toBeVisible();
  await expect(drawer.getByText("Writes")).toBeVisible();
  await expect(drawer.getByRole("link", { name: "Release Desk" })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "invocation");

  await drawer.getByRole("tab", { name: "Result" }).click();
  await expect(drawer.getByRole("button", { name: "Download JSON" })).toBeVisible();
  await drawer.getByRole("tab", { name: "Decision" }).click();
  await expect(drawer.getByRole("region", { name: "Which rules said what" }).getByRole("listitem").filter({ hasText: "writes outside Toolgate" })).toContainText("Ask");
  await expect(drawer.getByRole("region", { name: "People" })).toContainText("approved it");
  await drawer.getByRole("tab", { name: "Timeline" }).click();
  const steps = drawer.getByRole("list", { name: "Timeline" }).getByRole("listitem");
  await expect(steps).toContainText([/Recorded/, /A person was asked/, /Approved/, /Started/, /Completed/]);
  await expectAccessible(page);
  await drawer.getByRole("tab", { name: "Receipt" }).click();
  await drawer.getByRole("button", { name: "Verify against the audit trail" }).click();
  await expect(drawer.getByText(/^Verified:/)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(`${toolgate.url}/tools`);
});

test("a call that runs is cancelled from its drawer, after a question", async ({ page, toolgate, signedInAs }) => {
  const running = toolgate.api.attempt("POST", "/api/tools/wait/invoke", { ms: 60_000 });
  await signedInAs("operator");
  await page.goto("/invocations");
  await page.getByRole("row").filter({ hasText: "wait" }).click();
  const drawer = page.getByRole("dialog", { name: "Call of wait" });
  await expect(drawer).toContainText("The call runs.");
  await drawer.getByRole("button", { name: "Cancel the call" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel the call" }).click();
  await expect(page.getByText("Cancelled: wait")).toBeVisible();
  await expect(drawer.getByText("The call runs.")).toBeHidden();
  await running;
});

test("calls are found by status, tool, agent and day, and the address keeps the question", async ({ page, toolgate, signedInAs }) => {
  const { ask, agentId } = await addReleaseDesk(toolgate);
  await ask("{{ product }} {{ version }} is out.");
  await toolgate.call("calculate", { expression: "6 * 7" });
  await toolgate.api.attempt("POST", "/api/tools/calculate/invoke", { expression: "1 / 0" });
  await signedInAs("viewer");
  await page.goto("/invocations");
  const rows = page.getByRole("grid", { name: "Invocations" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expectAccessible(page);
  await shot(page, "invocations");
  await page.getByLabel("Status").selectOption("pending");
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/status=pending/);
  await page.getByLabel("Status").selectOption("");
  await page.getByRole("combobox", { name: "Tool" }).click();
  await page.getByPlaceholder("Search…").fill("calc");
  await page.getByRole("option", { name: "calculate" }).click();
  await expect(rows).toHaveCount(3);
  await page.getByLabel("When").selectOption("24h");
  await expect(page).toHaveURL(/since=24h/);
  await page.reload();
  await expect(rows).toHaveCount(3);
  await page.goto(`/invocations?agent=${agentId}`);
  await expect(rows).toHaveCount(2);
  await page.goto("/invocations?status=cancelled");
  await expect(page.getByRole("heading", { name: "No call fits" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(rows).toHaveCount(4);

  // Keyboard: a row opens by Enter, and has the focus again afterwards.
  await rows.nth(1).focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rows.nth(2)).toBeFocused();
  await toolgate.call("calculate", { expression: "2 + 2" });
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText("2 + 2");
  await expect(rows.nth(3), "the focus stays on its row, wherever that is now").toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("tree", { name: "Input" })).toContainText("6 * 7");
  await page.keyboard.press("Escape");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test("ten thousand calls scroll, in their order, and few of them are in the page", async ({ page, toolgate, signedInAs }) => {
  test.setTimeout(300_000);
  const CALLS = 10_000;
  await addCalls(toolgate, CALLS);
  await signedInAs("viewer");
  const grid = await openAllCalls(page, CALLS);
  await page.keyboard.press("End");
  await expect(grid.locator(`[aria-rowindex="${String(CALLS + 1)}"]`)).toBeVisible();
  expect(await grid.getByRole("row").count()).toBeLessThan(120);
  await expectOrder(page);
  await page.keyboard.press("Home");
  await expect(grid.locator('[aria-rowindex="2"]')).toBeVisible();
  // Wherever one stops, the rows of that place are drawn. How many frames a second that takes is measured by `make bench-web`.
  await page.evaluate(async () => {
    const main = document.getElementById("main");
    for (let step = 0; main && step < 60; step += 1) {
      main.scrollTop += 3_000;
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
  });
  await expect.poll(() => grid.getByRole("row").nth(1).getAttribute("aria-rowindex").then(Number)).toBeGreaterThan(1_000);
  await expectOrder(page);
});

test("an output of megabytes is cut, attached whole, and stops no page", async ({ page, toolgate, signedInAs }) => {
  const header = Array.from({ length: 12 }, (_, index) => `measurement_of_sensor_${String(index)}`);
  const lines = Array.from({ length: 7_000 }, (_, row) => header.map((_, column) => (row * 13 + column * 7) % 1_000).join(","));
  const envelope = await toolgate.call("parse_csv", { text: [header.join(","), ...lines].join("\n"), max_rows: 10_000 });
  expect(envelope.truncated).toBe(true);
  expect(envelope.attachments[0].bytes).toBeGreaterThan(2_000_000);
  await signedInAs("operator");
  await page.goto(`/tools/parse_csv?invocation=${envelope.invocation_id}`);
  const drawer = page.getByRole("dialog", { name: "Call of parse_csv" });
  await expect(drawer).toContainText("The whole is attached as a file.");
  await expect(drawer.getByRole("tree", { name: "Output" })).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await drawer.getByRole("link", { name: /Download/ }).click();
  const stream = await (await download).createReadStream();
  let bytes = 0;
  for await (const piece of stream) bytes += (piece as Buffer).length;
  expect(bytes).toBe(envelope.attachments[0].bytes);
  await drawer.getByRole("tab", { name: "Result" }).click();
  await expect(drawer.getByRole("region", { name: /^Table of/ }).first()).toBeVisible();
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByRole("button", { name: "Everybody's" }).or(page.getByRole("radio", { name: "Everybody's" })).click();
  await expect(page.getByRole("button", { name: "Fill the form with this input" })).toBeVisible();
});

/** The rows in sight follow each other without a gap, none is there twice, and each was made before the one above it. */
async function expectOrder(page: import("@playwright/test").Page): Promise<void> {
  const rows = await page.getByRole("grid", { name: "Invocations" }).getByRole("row").evaluateAll((found) =>
    found
      .map((row) => ({ index: Number(row.getAttribute("aria-rowindex")), text: row.textContent, made: row.querySelector("time")?.getAttribute("datetime") ?? "" }))
      .filter(({ index }) => index > 1)
      .sort((one, other) => one.index - other.index),
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(new Set(rows.map(({ index }) => index)).size).toBe(rows.length);
  expect(new Set(rows.map(({ text }) => text)).size).toBe(rows.length);
  for (let at = 1; at < rows.length; at += 1) {
    expect(rows[at]?.index).toBe((rows[at - 1]?.index ?? 0) + 1);
    expect(Date.parse(rows[at]?.made ?? "")).toBeLessThanOrEqual(Date.parse(rows[at - 1]?.made ?? "") + 50);
  }
}
