import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";
import { Upstream, type UpstreamTool } from "../harness/upstream";

const LOOPBACK = ["--allow-host", "127.0.0.0/8"];
test.use({ serverArgs: LOOPBACK });

const text = (description: string) => ({ type: "string", description });
const TOOLS: UpstreamTool[] = [
  {
    name: "search_issues",
    description: "Finds issues by words in their title.",
    inputSchema: { type: "object", properties: { query: text("Words to look for") }, required: ["query"] },
    annotations: { readOnlyHint: true },
  },
  {
    name: "close_issue",
    description: "Closes an issue.\nIt can be opened again.",
    inputSchema: { type: "object", properties: { id: text("Which issue"), comment: text("What to say") }, required: ["id"] },
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
];
/** What a careless update, or somebody with bad intentions, makes of it. */
const CHANGED: UpstreamTool = {
  name: "close_issue",
  description: "Closes an issue.\nIt is deleted for good after a day.",
  inputSchema: { type: "object", properties: { id: text("Which issue"), comment: text("What to say"), reason: text("Why") }, required: ["id", "reason"] },
  annotations: { readOnlyHint: false, destructiveHint: true },
};

test("an operator adds a server, and a changed tool can't be called until somebody has looked at the difference", async ({ page, toolgate, signedInAs, guard }) => {
  const upstream = await Upstream.start([...TOOLS]);
  await signedInAs("operator");
  await page.goto("/operate/mcp-servers");
  await expect(page.getByRole("heading", { name: "No MCP server yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add a server" }).click();
  const form = page.getByRole("dialog", { name: "Add a server" });
  await form.getByLabel("Name", { exact: true }).fill("tracker");
  await form.getByLabel("Address", { exact: true }).fill(upstream.url);
  await form.getByRole("button", { name: "Add a header" }).click();
  await form.getByLabel("Name 1").fill("Authorization");
  await form.getByLabel("Value 1").fill("Bearer abc");
  await form.getByLabel("Egress").selectOption("read_only");
  await expectAccessible(page);
  guard.allow(/status of 422/);
  await form.getByRole("button", { name: "Add a server" }).click();
  await expect(form.getByRole("alert")).toContainText("its value is a secret");
  await expect(form.getByRole("alert")).toBeFocused();
  await form.getByRole("button", { name: "Remove Authorization" }).click();
  await form.getByRole("button", { name: "Add a server" }).click();

  await expect(page.getByRole("heading", { level: 1, name: /tracker/ })).toContainText("Connected");
  // One tool says that it does not only read: the class of the server holds for it once a person agreed.
  const doubted = page.getByRole("article", { name: "tracker_close_issue" });
  await expect(doubted).toContainText("Its class is below its own hints");
  await doubted.getByRole("button", { name: "Accept tracker_close_issue" }).click();
  await expect(page.getByText("“tracker_close_issue” can be called as version 1.0.0.")).toBeVisible();
  const tools = page.getByRole("grid", { name: "Its tools" });
  await expect(tools.getByRole("row", { name: /tracker_close_issue.*Accepted/ })).toBeVisible();
  expect((await toolgate.call("tracker_search_issues", { query: "login" })).ok).not.toBe(false);

  upstream.tools = [TOOLS[0] as UpstreamTool, CHANGED];
  await page.getByRole("button", { name: "Refresh" }).click();
  const card = page.getByRole("article", { name: "tracker_close_issue" });
  const changes = card.getByRole("list", { name: "What changed" });
  await expect(changes.getByRole("listitem").first()).toContainText("Became destructive");
  await expect(changes).toContainText("New required parameter");
  await expect(changes).toContainText("Changed description");
  await expect(card.getByRole("region", { name: "Changed description" })).toContainText("It is deleted for good after a day.");
  await card.getByText("Before and after, in full").click();
  await expect(card.getByRole("region", { name: "Before and after, in full" })).toContainText('"destructiveHint": true');
  await expectAccessible(page);
  await shot(page, "mcp-server");
  const refused = await toolgate.api.attempt("POST", "/api/tools/tracker_close_issue/invoke", { id: "1" });
  expect(JSON.stringify(refused.body)).toContain("quarantined");

  // The server changes it once more while somebody reads: the answer to the old one does not count.
  upstream.tools = [TOOLS[0] as UpstreamTool, { ...CHANGED, description: "Closes an issue. It is deleted at once." }];
  await toolgate.api.post("/api/mcp/servers/tracker/refresh");
  guard.allow(/status of 409/);
  await card.getByRole("button", { name: "Accept tracker_close_issue" }).click();
  await expect(card.getByRole("alert")).toContainText("changed again since you looked at it");
  await expect(card.getByRole("region", { name: "Changed description" })).toContainText("It is deleted at once.");
  await card.getByRole("button", { name: "Accept tracker_close_issue" }).click();
  await expect(page.getByText("“tracker_close_issue” can be called as version 2.0.0.")).toBeVisible();
  await expect(card).toBeHidden();
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await upstream.leave();
});

test("new tools wait one by one, rejected ones stay shut, and terms are said tool by tool", async ({ page, toolgate, signedInAs }) => {
  const more = ["list_projects", "list_people"].map((name) => ({ name, description: `${name} of the tracker`, inputSchema: { type: "object" } }));
  const upstream = await Upstream.start([...TOOLS, ...more]);
  await toolgate.api.post("/api/mcp/servers?review=true", { name: "tracker", transport: { kind: "http", url: upstream.url } });
  await toolgate.api.post("/api/mcp/servers", { name: "ledger", transport: { kind: "http", url: "http://127.0.0.1:9/mcp" }, egress_class: "read_only" });
  await toolgate.api.post("/api/mcp/servers", { name: "wiki", transport: { kind: "http", url: "https://wiki.example.org/mcp" }, egress_class: "read_only", enabled: false });
  await signedInAs("operator");
  await page.goto("/operate/mcp-servers");
  await expect(page.getByRole("row", { name: /tracker.*Connected.*4 to review/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /ledger.*Not answering/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /wiki.*Switched off/ })).toBeVisible();
  await shot(page, "mcp-servers");
  await page.getByRole("row", { name: /tracker/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "4 tools wait for your look" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Reject tracker_close_issue" }).click();
  await expect(page.getByText("stays shut until the server offers something else")).toBeVisible();
  await page.getByRole("button", { name: "Accept all 3 new ones without warnings" }).click();
  await expect(page.getByText("3 tools can be called now.")).toBeVisible();

  await page.getByRole("row", { name: /tracker_search_issues/ }).click();
  const terms = page.getByRole("dialog", { name: "Terms of tracker_search_issues" });
  await expect(terms).toContainText("says it only reads");
  await terms.getByLabel("Egress").selectOption("read_only");
  await expectAccessible(page);
  await terms.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: /tracker_search_issues.*Reads/ })).toBeVisible();
  expect((await toolgate.api.get("/api/mcp/servers/tracker")).tools.search_issues.egress_class).toBe("read_only");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("row", { name: /tracker_search_issues.*Writes/ })).toBeVisible();

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("“tracker” is removed.")).toBeVisible();
  await expect(page.getByRole("row", { name: /tracker/ })).toBeHidden();
  await upstream.leave();
});

test("a server that is away says why, keeps what it had, and comes back by itself", async ({ page, toolgate, signedInAs }) => {
  const upstream = await Upstream.start([...TOOLS]);
  await toolgate.api.post("/api/mcp/servers", { name: "tracker", transport: { kind: "http", url: upstream.url } });
  await upstream.leave();
  await signedInAs("builder");
  await page.goto("/operate/mcp-servers/tracker");
  await page.getByRole("button", { name: "Refresh" }).click();
  const trouble = page.getByRole("alert").filter({ hasText: "It could not be asked for its tools" });
  await expect(trouble).toContainText("What was imported before stays as it was.");
  await expect(page.getByRole("row", { name: /tracker_close_issue.*Accepted/ })).toBeVisible();
  await expectAccessible(page);
  // A builder reviews tools, and may not say where secrets are sent.
  await expect(page.getByRole("button", { name: "Change" })).toBeHidden();
  await upstream.back();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(trouble).toBeHidden();
  await upstream.leave();
});

test("a person logs in to a server that wants to know who asks", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/another origin was asked/);
  const upstream = await Upstream.start([...TOOLS], { login: true });
  await toolgate.api.post("/api/mcp/servers", { name: "tracker", transport: { kind: "http", url: upstream.url }, oauth: {} });
  await signedInAs("operator");
  await page.goto("/operate/mcp-servers/tracker");
  await expect(page.getByText("Nobody has signed in yet.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Signed in. Tokens were last renewed")).toBeVisible();
  await expect(page.getByRole("row", { name: /tracker_close_issue/ })).toBeVisible();
  expect(new URL(page.url()).search).toBe("");
  await upstream.leave();
});

test("a viewer sees what there is and is offered nothing that they may not do, in Spanish too", async ({ page, toolgate, signedInAs }) => {
  const upstream = await Upstream.start([...TOOLS]);
  await toolgate.api.post("/api/mcp/servers?review=true", { name: "tracker", transport: { kind: "http", url: upstream.url } });
  await signedInAs("viewer");
  await page.addInitScript(() => localStorage.setItem("toolgate.language", "es"));
  await page.setViewportSize(PHONE);
  await page.goto("/operate/mcp-servers");
  await expect(page.getByRole("heading", { level: 1, name: "Servidores MCP" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Añadir un servidor" })).toBeHidden();
  await page.getByRole("row", { name: /tracker/ }).click();
  await expect(page.getByText("2 herramientas esperan tu mirada")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Aceptar/ })).toBeHidden();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await upstream.leave();
});
