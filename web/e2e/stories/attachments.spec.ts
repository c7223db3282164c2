import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from "../harness";
import { Upstream } from "../harness/upstream";
import { script } from "../harness/model";
import { picture } from "../seeds/picture";

const RULES = [
  { after_tool: "charts_draw_sales", replies: [{ text: "Here is the chart." }] },
  { contains: "Draw", replies: [{ tool_calls: [{ name: "charts_draw_sales", arguments: {} }] }] },
];
test.use({ serverArgs: ["--allow-host", "127.0.0.0/8", "--model-script", script(RULES)] });

const REGIONS = ["North", "South", "East", "West"];
const SALES = ["region,day,revenue", ...Array.from({ length: 2_000 }, (_, day) => `${REGIONS[day % 4] ?? ""},${String(day)},${String((day * 37) % 1_000)}`)].join("\n");
/** Long ones become attachments; short ones come with the answer. */
const DRAW = {
  name: "draw_sales",
  description: "Draws the sales as a chart, and hands out the table behind it.",
  inputSchema: { type: "object" },
  answers: [
    { type: "text", text: JSON.stringify({ regions: REGIONS.length, best: "East" }) },
    { type: "image", data: picture(16, 12), mimeType: "image/bmp" },
    { type: "image", data: picture(320, 200), mimeType: "image/bmp" },
    { type: "resource", resource: { uri: "file:///sales.csv", mimeType: "text/csv", blob: Buffer.from(SALES).toString("base64") } },
  ],
};

test("pictures and tables that a call left are seen in its drawer, and the trace of its run leads to it", async ({ page, toolgate, signedInAs }) => {
  const upstream = await Upstream.start([DRAW]);
  await toolgate.api.post("/api/mcp/servers", { name: "charts", transport: { kind: "http", url: upstream.url }, egress_class: "read_only" });
  await toolgate.api.post("/api/agents", { handle: "analyst", display_name: "Analyst", custom_tools: ["charts_draw_sales"] });
  await toolgate.api.put("/api/agents/analyst/tools", { tools: [{ toolName: "charts_draw_sales", permissionStatus: "always_allow" }] });
  const run = await toolgate.api.post("/api/runs", { agent: "analyst", message: "Draw the sales", wait: true });
  expect(run.status).toBe("completed");
  const [call] = (await toolgate.api.get("/api/invocations?tool=charts_draw_sales")).items;
  expect(call.attachments).toHaveLength(2);

  await signedInAs("operator");
  await page.goto(`/invocations?invocation=${String(call.id)}`);
  const drawer = page.getByRole("dialog", { name: "Call of charts_draw_sales" });
  await drawer.getByRole("tab", { name: "Result" }).click();
  const pictures = drawer.getByRole("img", { name: "An image that the tool made" });
  await expect(pictures).toHaveCount(2);
  const widths = () => pictures.evaluateAll((found) => found.map((image) => (image as HTMLImageElement).naturalWidth));
  await pictures.last().scrollIntoViewIfNeeded();
  await expect.poll(widths, "they are drawn, not only linked").toEqual([16, 320]);
  await expect(drawer.getByText("East", { exact: true }).first(), "JSON in a text is read as what it is").toBeVisible();
  const table = drawer.getByRole("region", { name: "Table of Attachment" });
  await expect(table).toContainText("North");
  await expect(table).toContainText("Revenue");
  await expectAccessible(page);
  const file = page.waitForEvent("download");
  await drawer.getByRole("link", { name: /text\/csv.*Download/ }).click();
  const stream = await (await file).createReadStream();
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  expect(Buffer.concat(pieces).toString()).toBe(SALES);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await drawer.getByRole("link", { name: "Trace of its run" }).click();
  await expect(page).toHaveURL(/\/runs\/run_.*tab=trace/);
  await expect(page.getByRole("treeitem", { selected: true })).toHaveAttribute("aria-label", /Call of charts_draw_sales/);
  // The pages know the agent by the same name, whichever is opened first.
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Invocations" }).click();
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: "Analyst" }).click();
  await expect(page.getByRole("grid", { name: "Invocations" }).getByRole("row").filter({ hasText: "charts_draw_sales" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("grid", { name: "Invocations" })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).click();
  await expect(page.getByRole("grid", { name: "Runs" }).getByRole("row").filter({ hasText: "Analyst" })).toBeVisible();
  await upstream.leave();
});
