import type { House } from "../harness/house";

import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";

const editor = (name: string) => ({ name, exact: true });

/** A week of small work: letters and sums, some of which a rule will catch. */
async function work(toolgate: House): Promise<void> {
  await toolgate.addTool("send_report", { description: "Writes a report to somebody", execution: { kind: "builtin", handler: "render_template", arguments: { template: "{{ to }}", values: "$input" } }, input_schema: { type: "object", properties: { to: { type: "string" } } } });
  for (const to of ["kim@example.org", "lee@elsewhere.example", "ann@example.org", "press@elsewhere.example"]) await toolgate.call("send_report", { to });
  for (const expression of ["1+1", "6*7", "10/4"]) await toolgate.call("calculate", { expression });
}

test("an operator drafts a rule, tries it on past calls, and puts it in force", async ({ page, toolgate, signedInAs, guard }) => {
  // The page asks the server whether a draft compiles; while one writes, it often does not.
  guard.allow(/status of 422/);
  await work(toolgate);
  await signedInAs("operator");
  await page.goto("/operate/policies");
  await expect(page.getByRole("heading", { name: "No rules yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Mail to the outside asks" }).click();
  await expect(page.getByRole("status").filter({ hasText: "It compiles, and every example holds." })).toBeVisible();

  // A mistake is told at the place where it is.
  const examples = page.getByRole("region", { name: "Examples" });
  await examples.getByLabel("Must not match 1").fill('{"input": {"to": "kim@elsewhere.example"}}');
  await expect(examples.getByRole("alert")).toContainText("should not match, but it does");
  await expect(page.getByRole("button", { name: "Put in force" })).toBeDisabled();
  const when = page.getByRole("textbox", editor("When"));
  await when.fill("has(input.to) && ");
  await expect(page.getByRole("alert").filter({ hasText: "line 1" })).toBeVisible();
  await expectAccessible(page);
  await when.fill("has(input.to) && !input.to.endsWith('@example.org')");
  await examples.getByLabel("Must not match 1").fill('{"input": {"to": "kim@example.org"}}');
  await expect(page.getByRole("status").filter({ hasText: "It compiles" })).toBeVisible();

  await page.getByRole("button", { name: "Try it" }).click();
  await expect(page.getByText("2 of 7 would have been decided otherwise")).toBeVisible();
  await expect(page.getByRole("grid", { name: "Try it on past calls" }).getByRole("row", { name: /send_report.*Allow.*Ask/ })).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Close mail-outside" }).click();
  await shot(page, "policies");
  await page.getByRole("button", { name: "Put in force" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("mail-outside");
  await expect(dialog).toContainText("Of 7 past calls, 2 would have been decided otherwise.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Put in force" }).click();
  await expect(page.getByText("The policy is in force.")).toBeVisible();
  await expect(page.getByText("In force: Version")).toContainText("You");
  const asked = await toolgate.api.attempt("POST", "/api/tools/send_report/invoke", { to: "lee@elsewhere.example" });
  expect(asked.body.status).toBe("pending");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});

test("every example that the page offers compiles, and the whole is edited as JSON", async ({ page, signedInAs, toolgate, guard }) => {
  guard.allow(/status of 422/);
  await signedInAs("operator");
  await page.goto("/operate/policies");
  await page.getByRole("button", { name: "Quiet hours: ask at night" }).click();
  for (const title of ["Large amounts ask", "Mail to the outside asks", "Agents never call what is critical", "MCP clients only read", "Nothing is written on weekends"]) {
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByRole("menuitem", { name: title }).click();
  }
  await expect(page.getByRole("list", { name: "Rules" }).getByText("examples hold")).toHaveCount(6);
  await page.getByRole("button", { name: "Put in force" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Put in force" }).click();
  await expect(page.getByText("The policy is in force.")).toBeVisible();
  const [inForce] = (await toolgate.api.get("/api/policies")).items;
  expect(inForce.document.rules).toHaveLength(6);

  await page.getByRole("radio", { name: "JSON" }).click();
  const json = page.getByRole("textbox", { name: "The whole policy as JSON" });
  await json.fill('{"rules": [{"id": "a", "verdict": "deny", "because": "No.", "shape": "odd", "examples": {"match": [{}], "no_match": []}}]}');
  await expect(page.getByText("unknown field `shape`")).toBeVisible();
  await json.fill("{");
  await expect(page.getByRole("alert").filter({ hasText: "not JSON yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Discard the changes" }).click();
  await expect(page.getByRole("button", { name: "Put in force" })).toBeDisabled();
});

test("an older version is compared, taken back, and a colleague's newer one is noticed", async ({ page, toolgate, signedInAs }) => {
  const rule = (verdict: string) => ({ rules: [{ id: "no-division", tools: ["calculate"], when: "input.expression.contains('/')", verdict, because: "Division is left to people.", examples: { match: [{ input: { expression: "1/3" } }], no_match: [{ input: { expression: "1+3" } }] } }] });
  await toolgate.api.post("/api/policies", rule("ask"));
  await toolgate.api.post("/api/policies", rule("deny"));
  await signedInAs("operator");
  await page.goto("/operate/policies?tab=versions");
  await page.getByRole("button", { name: "Compare with what is in force" }).click();
  await expect(page.getByRole("region", { name: "From what is in force to this version" })).toContainText('"verdict": "ask"');
  await expectAccessible(page);
  await page.getByRole("button", { name: "Take into the editor" }).click();
  await expect(page.getByText("You changed it. Nothing holds until you put it in force.")).toBeVisible();

  await toolgate.api.post("/api/policies", { rules: [] });
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "Somebody else put a policy in force" })).toBeVisible();
  await page.getByRole("button", { name: "Take theirs, and lose my changes" }).click();
  await expect(page.getByRole("heading", { name: "No rules yet" })).toBeVisible();
});

test("one asks what would happen, and those without the right are told so", async ({ page, toolgate, signedInAs, anotherBrowser, guard }) => {
  await toolgate.addAgent("researcher");
  await signedInAs("builder");
  await page.goto("/operate/policies?tab=explain");
  await page.getByRole("combobox", { name: "Tool" }).click();
  await page.getByPlaceholder("Search…").fill("calculate");
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Who calls" }).click();
  await page.getByRole("option", { name: "researcher" }).click();
  await page.getByRole("textbox", { name: "Input" }).fill('{"expression": "1+1"}');
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(page.getByRole("heading", { name: "It would be refused" })).toBeVisible();
  await expect(page.getByText("assignment", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Rules" }).click();
  await expect(page.getByText("Somebody with the role operator or admin puts them in force.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Put in force" })).toBeHidden();

  guard.allow(/status of 403/);
  const other = await anotherBrowser("member");
  await other.goto("/operate/policies");
  await expect(other.getByRole("heading", { name: "You may not see this" })).toBeVisible();
});
