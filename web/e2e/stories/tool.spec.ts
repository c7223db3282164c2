import { readFile } from "node:fs/promises";

import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";

const SALES = "region,revenue,cost\nNorth,120,80\nSouth,95,60\nEast,143,101\nWest,70,55\n";

/** A tool that shows what it is given in every way there is. */
const REPORT = {
  description: "Reads a table of sales and shows it as a table, a chart and a ranking.",
  category: "analysis",
  input_schema: {
    type: "object",
    additionalProperties: false,
    required: ["text"],
    properties: {
      text: { type: "string", title: "Sales", description: "A table with a header line", "x-field": { display: "textarea" } },
      has_header: { type: "boolean", title: "First line is a header", default: true },
      max_rows: { type: "integer", title: "Rows at most" },
    },
  },
  output_sections: [
    { key: "rows", label: "Sales by region", type: "table", config: { columns: ["region", "revenue", "cost"] } },
    { key: "rows", label: "Revenue and cost", type: "chart", config: { x: "region", y: ["revenue", "cost"], kind: "bar" } },
    { key: "rows", label: "Best regions", type: "ranking", config: { label: "region", value: "revenue" } },
  ],
  execution: { kind: "builtin", handler: "parse_csv" },
};

test("a person runs a tool, sees its progress, and cancels a run that takes too long", async ({ page, signedInAs }) => {
  await signedInAs("member");
  await page.goto("/tools/wait");
  await expect(page.getByRole("heading", { level: 1, name: "Wait" })).toBeVisible();
  await page.getByLabel("ms required").fill("300");
  await page.getByLabel("every_ms").fill("100");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Done" })).toBeVisible();
  await expect(page.getByText("300", { exact: true }).last()).toBeVisible();

  await page.getByLabel("ms required").fill("60000");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("log", { name: "What the tool says" })).toContainText("waited_ms");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Cancelled" })).toBeVisible();
});

test("the form says what the server would say, and leads to the field", async ({ page, toolgate, signedInAs }) => {
  await signedInAs("member");
  await page.goto("/tools/wait");
  await page.getByLabel("ms required").fill("70000");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const refused = await toolgate.api.attempt("POST", "/api/tools/wait/invoke", { ms: 70000 });
  const said = (refused.body as { error: { details: { errors: { message: string }[] } } }).error.details.errors[0]?.message ?? "";
  expect(said).toContain("60000");
  const summary = page.getByRole("alert").filter({ hasText: "One thing to mend" });
  await expect(summary).toBeFocused();
  await expect(summary).toContainText(said);
  await expectAccessible(page);
  await summary.getByRole("link").click();
  await expect(page.getByLabel("ms required")).toBeFocused();
  await page.getByLabel("ms required").fill("1");
  await expect(summary).toBeHidden();
});

test("an answer is shown by its sections, raw, and as a file", async ({ page, toolgate, signedInAs }) => {
  await toolgate.addTool("sales_report", REPORT);
  await signedInAs("member");
  await page.goto("/tools/sales_report");
  await page.getByLabel("Sales required").fill(SALES);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("region", { name: "Table of Sales by region" })).toContainText("North");
  await expect(page.getByRole("img", { name: "Revenue and cost, as a chart" }).locator("svg").first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Best regions" }).getByRole("listitem").first()).toContainText("East");
  await expectAccessible(page);
  await shot(page, "tool");

  const table = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).first().click();
  expect((await table).suggestedFilename()).toBe("Sales-by-region.csv");
  expect(await readFile(await (await table).path(), "utf8")).toBe(SALES.replaceAll("\n", "\r\n"));
  const picture = page.waitForEvent("download");
  await page.getByRole("button", { name: "PNG" }).click();
  expect((await picture).suggestedFilename()).toBe("Revenue-and-cost.png");
  const png = await readFile(await (await picture).path());
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect(png.readUInt32BE(16), "pixels wide").toBeGreaterThan(600);
  expect(png.length).toBeGreaterThan(5_000);
  await page.getByRole("button", { name: "Raw JSON" }).click();
  await expect(page.getByRole("tree", { name: "Raw JSON" })).toBeVisible();

  await page.getByRole("tab", { name: "As code" }).click();
  await expect(page.getByRole("region", { name: "curl" })).toContainText("$TOOLGATE_KEY");
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Fill the form with this input" }).click();
  await expect(page.getByLabel("Sales required")).toHaveValue(SALES);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
});

test("a call that waits says for whom, and goes on when somebody decides", async ({ page, toolgate, signedInAs, anotherBrowser }) => {
  await toolgate.addApproval();
  await signedInAs("member");
  await page.goto("/tools/send_letter");
  await page.getByLabel("to required").fill("kim@example.org");
  await page.getByLabel("text required").fill("Hello Kim");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Waiting for a person" })).toBeVisible();
  await expect(page.getByText("One person must agree.")).toBeVisible();
  await expectAccessible(page);
  const waiting = await toolgate.api.get("/api/approvals");
  const mine = (waiting.items as { id: string; input: { to: string } }[]).find(({ input }) => input.to === "kim@example.org");
  await anotherBrowser("approver");
  await (await toolgate.as("approver", ["approvals:decide", "invocations:read"])).post(`/api/invocations/${mine?.id ?? ""}/reject`, { reason: "not today" });
  await expect(page.getByRole("heading", { name: "Rejected" })).toBeVisible();
});

test("sixty fields take what is typed, and a keyboard is enough to find and mend what is wrong", async ({ page, toolgate, signedInAs }) => {
  const fields = Array.from({ length: 60 }, (_, index) => [`field_${String(index + 1).padStart(2, "0")}`, index === 29 ? { type: "integer", maximum: 10 } : { type: "string", maxLength: 100 }]);
  await toolgate.addTool("long_form", {
    input_schema: { type: "object", properties: Object.fromEntries(fields), required: ["field_60"] },
    execution: { kind: "builtin", handler: "render_template", arguments: { template: "{{ field_60 }}", values: "$input" } },
  });
  await signedInAs("member");
  await page.goto("/tools/long_form");
  const first = page.getByLabel("field_01");
  await first.focus();
  await page.keyboard.type("the quick brown fox jumps over the lazy dog", { delay: 0 });
  await expect(first).toHaveValue("the quick brown fox jumps over the lazy dog");
  await page.getByLabel("field_30").focus();
  await page.keyboard.type("11");
  await page.keyboard.press("Control+Enter");
  const summary = page.getByRole("alert").filter({ hasText: "2 things to mend" });
  await expect(summary).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const jumped = page.locator(":focus");
  const [one, other] = (await jumped.getAttribute("id")) === "input_field_30" ? ["7", "done"] : ["done", "7"];
  await expect(jumped).toBeInViewport();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(one);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("alert").filter({ hasText: "One thing to mend" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(other);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { name: "Done" })).toBeVisible();
});

test("from the library to the answer without a mouse", async ({ page, signedInAs }) => {
  await signedInAs("member");
  await page.goto("/tools");
  await expect(page.getByRole("link", { name: "calculate" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search and commands" })).toBeVisible();
  await page.keyboard.type("calculate");
  await expect(page.getByRole("option", { name: /^calculate/ }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  const expression = page.getByLabel("expression required");
  await expect(expression).toBeVisible();
  for (let pressed = 0; pressed < 40 && !(await expression.evaluate((field) => field === document.activeElement)); pressed += 1) await page.keyboard.press("Tab");
  await expect(expression).toBeFocused();
  await page.keyboard.type("6 * 7");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { name: "Done" })).toBeVisible();
  await expect(page.getByText("42", { exact: true }).last()).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "The run is finished" })).toBeAttached();
});

test("whoever types faster than the server finds never opens something else", async ({ page, toolgate, signedInAs }) => {
  await toolgate.addTool("letter_archive");
  await toolgate.addTool("letter_print");
  await signedInAs("member");
  await page.goto("/tools");
  await expect(page.getByRole("link", { name: "letter_print" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const found = page.getByRole("dialog", { name: "Search and commands" }).getByRole("option");
  await expect(found.first()).toBeVisible();
  await page.keyboard.type("letter");
  await expect(found).toContainText(["letter_archive", "letter_print"]);
  // The next word is never answered.
  await page.route(/\/api\/tools\?.*search=letter.+p/, () => undefined);
  await page.keyboard.type("_print");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/tools\/letter_print$/);
});
