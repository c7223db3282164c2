import { expect, expectAccessible, expectNoSidewaysScroll, OWN, PHONE, SERVER_GONE, shot, test } from "../harness";
import { addReleaseDesk } from "../seeds/approvals";

test("an approver sees exactly what an agent wants, and answers from a phone @postgres", async ({ page, toolgate, signedInAs }) => {
  const { ask } = await addReleaseDesk(toolgate);
  const asked = await ask("{{ product }} {{ version }} is out: faster search, and a dark theme.");
  await ask("{{ product }} {{ version }} will be late by a week.");
  await toolgate.addApproval("send_letter", { to: "kim@example.org", text: "Your contract ends in May. Shall we talk?" });
  await signedInAs("approver");
  await page.goto("/inbox");
  const card = page.getByRole("article").filter({ hasText: "faster search" });
  await expect(card).toContainText("Release Desk asks");
  await expect(card).toContainText("announce_release");
  await expect(card).toContainText("It changes something outside.");
  await expect(card).toContainText("High risk");
  await expect(card.getByText(/\d+ hr? \d+ min left|23 hr 59 min left|24 hr|1 day left/)).toBeVisible();
  await expectAccessible(page);
  await shot(page, "inbox");

  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await card.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByText("Approved: announce_release begins")).toBeVisible();
  await expect(page.getByText("An approval cannot be undone.").last()).toBeVisible();
  await expect(card).toBeHidden();
  await expect.poll(async () => (await toolgate.api.get(`/api/invocations/${asked.id}`)).status).toBe("completed");
});

test("a keyboard is enough: move, open, reject with a reason, approve", async ({ page, toolgate, signedInAs }) => {
  const { ask } = await addReleaseDesk(toolgate);
  const [first, second, third] = [await ask("First: {{ product }}"), await ask("Second: {{ product }}"), await ask("Third: {{ product }}")];
  await signedInAs("approver");
  await page.goto("/inbox");
  const articles = page.getByRole("article");
  await expect(articles).toHaveCount(3);
  // The newest is on top.
  await page.keyboard.press("j");
  await expect(articles.nth(0)).toBeFocused();
  await page.keyboard.press("j");
  await expect(articles.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog");
  await expect(drawer.getByRole("heading", { name: "Call of announce_release" })).toBeVisible();
  await expect(drawer).toContainText("Second: {{ product }}");
  await page.keyboard.press("Escape");
  await expect(articles.nth(1)).toBeFocused();

  await page.keyboard.press("r");
  const reason = page.getByLabel("Reason");
  await expect(reason).toBeFocused();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Say why: a rejection needs a reason.")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.type("Not before the review.");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Rejected: announce_release does not run")).toBeVisible();
  await expect(articles).toHaveCount(2);
  // The focus went to the neighbour, so the next key means it.
  await expect(articles.nth(1)).toBeFocused();
  await page.keyboard.press("a");
  await expect(articles).toHaveCount(1);
  const rows = await Promise.all([first, second, third].map(({ id }) => toolgate.api.get(`/api/invocations/${id}`)));
  expect(rows[1]).toMatchObject({ status: "rejected", approval_reason: "Not before the review." });
  expect(rows[0].approval_status).toBe("approved");
  expect(rows[2].status).toBe("pending");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog").getByText("Approve the call in focus", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(articles.first()).toBeFocused();
  await page.keyboard.press("a");
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
  await expect(page.locator(":focus"), "not the top of the page").toContainText("Nothing waits for you");
});

test("what comes while one looks appears by itself, also after the server was gone", OWN, async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(SERVER_GONE);
  const { ask } = await addReleaseDesk(toolgate);
  await signedInAs("approver");
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
  await expectAccessible(page);
  await ask("It came live");
  await expect(page.getByRole("article").filter({ hasText: "It came live" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" }).getByText("1 waits for you").first()).toBeAttached();
  await toolgate.server.stop();
  await expect(page.getByText("Live updates are interrupted. Trying again…")).toBeVisible({ timeout: 30_000 });
  await toolgate.server.startAgain();
  await ask("It came while nobody listened");
  await expect(page.getByRole("article").filter({ hasText: "It came while nobody listened" })).toBeVisible({ timeout: 45_000 });
  await expect(page.getByRole("article")).toHaveCount(2);
});

test("two people answer the same call: the second is told, and nothing happens twice", async ({ page, toolgate, guard, signedInAs, anotherBrowser }) => {
  guard.allow(/status of 409/);
  const { ask } = await addReleaseDesk(toolgate);
  await ask("Only once");
  await signedInAs("operator");
  await page.goto("/inbox");
  const mine = page.getByRole("article").filter({ hasText: "Only once" });
  await expect(mine).toBeVisible();
  // This browser does not hear of the other one's answer in time.
  await page.route("**/api/approvals?*", (route) => route.abort());
  guard.allow(/ERR_FAILED/);
  const other = await anotherBrowser("approver");
  await other.goto("/inbox");
  await other.getByRole("article").filter({ hasText: "Only once" }).getByRole("button", { name: "Approve", exact: true }).click();
  await expect(other.getByText("Approved: announce_release begins")).toBeVisible();
  await mine.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByText("Pia Approver already approved this call of announce_release")).toBeVisible();
  await expect(mine).toBeHidden();
});

test("identical calls are answered at once, and only those", async ({ page, toolgate, signedInAs }) => {
  const { ask } = await addReleaseDesk(toolgate);
  for (let count = 0; count < 3; count += 1) await ask("The same");
  const other = await ask("Another one");
  await signedInAs("approver");
  await page.goto("/inbox");
  const group = page.getByRole("article").filter({ hasText: "3 identical calls" });
  await expect(page.getByRole("article")).toHaveCount(2);
  await group.getByRole("button", { name: "Approve all 3" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("each of the 3 runs. An approval cannot be undone.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Approve all 3" }).click();
  await expect(page.getByText("3 calls approved")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
  expect((await toolgate.api.get(`/api/invocations/${other.id}`)).status).toBe("pending");
});

test("somebody changes the arguments, sees what that changes, and approves that", async ({ page, toolgate, signedInAs }) => {
  const { ask } = await addReleaseDesk(toolgate);
  const asked = await ask("{{ product }} is out!!!");
  await signedInAs("approver");
  await page.goto("/inbox");
  await page.getByRole("article").getByRole("button", { name: "Edit and approve" }).click();
  const dialog = page.getByRole("dialog");
  const approve = dialog.getByRole("button", { name: "Approve with changes" });
  await expect(approve).toBeDisabled();
  await dialog.getByLabel("Text required").fill("{{ product }} {{ version }} is out.");
  const diff = dialog.getByRole("region", { name: "What you change" });
  await expect(diff).toContainText("is out!!!");
  await expect(diff).toContainText("{{ version }} is out.");
  await expectAccessible(page);
  await approve.click();
  await expect(page.getByText("Approved: announce_release begins")).toBeVisible();
  await expect.poll(async () => (await toolgate.api.get(`/api/invocations/${asked.id}`)).status).toBe("completed");
  await page.goto(`/invocations/${asked.id}`);
  await expect(page.getByRole("region", { name: "What was changed" })).toContainText("is out!!!");
  await expect(page.getByRole("tree", { name: "Output" })).toContainText("Atlas 4.2 is out.");
});

test("an agent that was told yes for good need not ask again; where two must agree, one yes is half of it", async ({ page, toolgate, signedInAs }) => {
  const agent = await toolgate.addAgent("bookkeeper", { display_name: "Bookkeeper", custom_tools: ["calculate", "hash_text"] });
  await toolgate.call("calculate", { expression: "1200 * 0.19" }, agent.api);
  await toolgate.api.put("/api/tools/hash_text/settings", { approval: { quorum: 2, allow_self: false } });
  await toolgate.call("hash_text", { text: "invoice 4711" }, agent.api);
  await signedInAs("operator");
  await page.goto("/inbox");
  const sum = page.getByRole("article").filter({ hasText: "1200 * 0.19" });
  await sum.getByRole("button", { name: "Approve, and do not ask again" }).click();
  await expect(sum).toBeHidden();
  // A receipt, and not a call that waits.
  expect(await toolgate.call("calculate", { expression: "2 + 2" }, agent.api)).toMatchObject({ name: "calculate", output: expect.anything() });

  const hash = page.getByRole("article").filter({ hasText: "invoice 4711" });
  await expect(hash).toContainText("0 of 2 people have agreed.");
  await expect(hash.getByRole("button", { name: "Edit and approve" })).toBeHidden();
  await hash.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByText("Your yes to hash_text counts")).toBeVisible();
  await expect(hash).toContainText("1 of 2 people have agreed. You");
});

test("who may decide nothing is told so, in plain words and in Spanish", async ({ page, toolgate, guard, signedInAs }) => {
  guard.allow(/status of 403/);
  const { ask } = await addReleaseDesk(toolgate);
  const asked = await ask("Not for you");
  await signedInAs("viewer");
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "You may not see this" })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/tools?invocation=${asked.id}`);
  const drawer = page.getByRole("dialog");
  await expect(drawer).toContainText("Somebody with the right to approve must decide this.");
  await expect(drawer.getByRole("button", { name: "Approve" })).toBeHidden();
  await page.evaluate(() => localStorage.setItem("toolgate.language", "es"));
  await page.reload();
  await expect(drawer).toContainText("Debe decidirlo alguien con derecho a aprobar.");
  await expect(drawer.getByRole("tab", { name: "Cronología" })).toBeVisible();
  await page.goto("/inbox");
  await expect(page.getByRole("heading", { name: "No puedes ver esto" })).toBeVisible();
});
