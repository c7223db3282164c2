import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test, type Answer } from "../harness";

const SALES = "region,revenue\nNorth,120\nSouth,95\nEast,143\nWest,70\n";
const HOSTILE = [
  "Here is **the page**:",
  '<img src=x onerror="document.title=\'taken\'"> <script>document.title = "taken"</script>',
  "[press me](javascript:document.title='taken') ![spy](https://spy.example/pixel.png)",
].join("\n\n");

/** The model of these stories: the first rule that fits answers. */
const RULES = [
  { after_tool: "send_letter", result_contains: "rejected", replies: [{ text: "All right, nothing was sent." }] },
  { after_tool: "send_letter", replies: [{ text: "The letter to Kim is on its way." }] },
  {
    after_tool: "sales_report",
    replies: [
      {
        deltas: ["**East** leads with 143, ", "and all four regions together made 428.\n\n", "- North and South are close\n- West needs a look"],
        usage: { input_tokens: 1480, output_tokens: 96 },
        cost_estimate: 0.0046,
      },
    ],
  },
  {
    contains: "compare the regions",
    replies: [
      {
        deltas: ["I add up the revenue ", "and read the table."],
        tool_calls: [
          { name: "calculate", arguments: { expression: "120 + 95 + 143 + 70" } },
          { name: "sales_report", arguments: { text: SALES } },
        ],
        usage: { input_tokens: 820, output_tokens: 64 },
        cost_estimate: 0.0027,
      },
    ],
  },
  { contains: "letter to Kim", replies: [{ tool_calls: [{ name: "send_letter", arguments: { to: "kim@example.org", text: "See you on Monday" } }] }] },
  { contains: "long story", replies: [{ deltas: ["Once upon a time ", "there was a gate."], hang: true }] },
  { contains: "hostile", replies: [{ text: HOSTILE }] },
  { contains: "guess", replies: [{ text: "My first guess is 7." }, { text: "My second guess is 9." }] },
  { contains: "fragile", replies: [{ error: { code: "PROVIDER_ERROR", message: "the provider is overloaded" } }, { text: "Now it holds." }] },
  { contains: "hank", replies: [{ text: "You are welcome." }] },
];

function script(rules: unknown[]): string {
  const file = join(mkdtempSync(join(tmpdir(), "toolgate-script-")), "model.json");
  writeFileSync(file, JSON.stringify({ rules }));
  return file;
}

const file = script(RULES);
test.use({ serverArgs: ["--model-script", file] });

interface Seeded {
  api: { post: (path: string, body?: unknown) => Promise<Answer>; put: (path: string, body: unknown) => Promise<Answer> };
  addTool: (name: string, more?: Record<string, unknown>) => Promise<Answer>;
}

async function addClerk(toolgate: Seeded): Promise<void> {
  await toolgate.addTool("sales_report", {
    description: "Reads a table of sales.",
    input_schema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
    output_sections: [{ key: "rows", label: "Sales by region", type: "table" }],
    execution: { kind: "builtin", handler: "parse_csv" },
  });
  await toolgate.addTool("send_letter", {
    egress_class: "write",
    description: "Sends a letter to somebody outside",
    input_schema: { type: "object", properties: { to: { type: "string" }, text: { type: "string" } }, required: ["to", "text"] },
    execution: { kind: "builtin", handler: "render_template" },
  });
  const tools = ["calculate", "sales_report", "send_letter"];
  await toolgate.api.post("/api/agents", { handle: "sales-clerk", display_name: "Sales clerk", bio: "Answers questions about sales, and writes to customers.", custom_tools: tools });
  const allowed = tools.slice(0, 2).map((toolName) => ({ toolName, permissionStatus: "always_allow" }));
  await toolgate.api.put("/api/agents/sales-clerk/tools", { tools: allowed });
}

const composer = (page: Page) => page.getByRole("textbox", { name: "Message Sales clerk" });

async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

async function begin(page: Page, text: string): Promise<void> {
  await page.goto("/chat?agent=sales-clerk");
  await say(page, text);
  await expect(page).toHaveURL(/\/chat\/thr_/);
}

const conversation = (page: Page) => page.getByRole("region", { name: "Conversation" });

test("an agent answers with two calls at once, and the timeline tells what each took", async ({ page, toolgate, signedInAs }) => {
  await addClerk(toolgate);
  await signedInAs("member");
  await page.goto("/chat");
  await expect(page.getByRole("heading", { name: "No threads yet" })).toBeVisible();
  await expectAccessible(page);
  await composer(page).fill("Please compare the regions\nof last month");
  await page.reload();
  await expect(composer(page), "a draft survives a reload").toHaveValue("Please compare the regions\nof last month");
  await composer(page).press("Enter");

  const talk = conversation(page);
  await expect(talk.getByText("and all four regions together made 428.")).toBeVisible();
  await expect(talk.getByText("I add up the revenue and read the table.")).toBeVisible();
  await expect(talk.getByText("2 calls at once")).toBeVisible();
  await expect(talk.getByRole("region", { name: "Table of Sales by region" })).toContainText("North");
  await expect(talk.getByText("2,300 tokens in, 160 out")).toBeVisible();
  const timeline = page.getByRole("complementary", { name: "Timeline" });
  await expect(timeline.getByRole("link", { name: /Calculate.*428/ })).toBeVisible();
  await expect(timeline.getByText("Model, turn 2")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Sales clerk answered: East leads" })).toBeAttached();
  await expectAccessible(page);
  await shot(page, "chat");

  await talk.getByRole("button", { name: /^Calculate/ }).click();
  await expect(talk.getByRole("tree", { name: "Input" }).first()).toContainText("120 + 95");
  await page.reload();
  await expect(talk.getByText("2 calls at once")).toBeVisible();
  await expect(talk.getByText("2,300 tokens in, 160 out")).toBeVisible();
  await say(page, "Thank you");
  await expect(talk.getByText("You are welcome.")).toBeVisible();
});

test("a call that asks is approved in the conversation, and the run goes on; another is rejected with a reason", async ({ page, toolgate, signedInAs, anotherBrowser }) => {
  await addClerk(toolgate);
  await signedInAs("operator");
  await begin(page, "Write a letter to Kim");
  const asked = page.getByRole("region", { name: "May the agent use “Send letter”?" });
  await expect(asked.getByRole("tree", { name: "Input" })).toContainText("kim@example.org");
  await expect(page.getByText("Sales clerk is answering. You can go on writing, and send when it is done.")).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await asked.getByRole("button", { name: "Approve" }).click();
  await expect(conversation(page).getByText("The letter to Kim is on its way.")).toBeVisible();
  await expect(asked).toBeHidden();

  await say(page, "Another letter to Kim");
  await page.setViewportSize(PHONE);
  await asked.getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Kim left the company");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: /Reject/ }).click();
  await expect(conversation(page).getByText("All right, nothing was sent.")).toBeVisible();
  await expect(conversation(page).getByText("Kim left the company")).toBeVisible();
  await expectNoSidewaysScroll(page);

  const member = await anotherBrowser("member");
  await member.goto(new URL(page.url()).pathname);
  await expect(member.getByText("This is somebody else’s thread: you can read it, and not write in it.")).toBeVisible();
  await expect(conversation(member).getByText("The letter to Kim is on its way.")).toBeVisible();
});

test("an answer is stopped in the middle, and a second browser shows the same", async ({ page, toolgate, signedInAs, anotherBrowser }) => {
  await addClerk(toolgate);
  await signedInAs("member");
  await begin(page, "Tell me a long story");
  await expect(conversation(page).getByText("Once upon a time there was a gate.")).toBeVisible();
  await composer(page).fill("and then?");
  await composer(page).press("Enter");
  await expect(composer(page), "nothing is sent while the agent answers").toHaveValue("and then?");

  const second = await anotherBrowser("member");
  await second.goto(new URL(page.url()).pathname);
  await expect(conversation(second).getByText("Once upon a time there was a gate.")).toBeVisible();
  await second.getByRole("button", { name: "Stop" }).click();
  for (const screen of [second, page]) {
    await expect(conversation(screen).getByText("The answer was stopped.")).toBeVisible();
    await expect(conversation(screen).getByText("Once upon a time there was a gate.")).toBeVisible();
  }
  await expect(composer(page)).toHaveValue("and then?");
  await expectAccessible(page);
  await say(second, "Thanks anyway");
  await expect(conversation(page).getByText("You are welcome."), "what another window says comes here by itself").toBeVisible();
});

test("a person goes back to an earlier turn, and a model that failed is asked again", async ({ page, toolgate, signedInAs }) => {
  await addClerk(toolgate);
  await signedInAs("member");
  await begin(page, "Make a guess");
  const talk = conversation(page);
  await expect(talk.getByText("My first guess is 7.")).toBeVisible();
  await say(page, "Thanks");
  await expect(talk.getByText("You are welcome.")).toBeVisible();
  await talk.getByRole("button", { name: "Ask again from here" }).first().click();
  const sure = page.getByRole("alertdialog", { name: "Go back to this message?" });
  await expect(sure).toContainText("2 later messages leave the conversation.");
  await expectAccessible(page);
  await sure.getByRole("button", { name: "Go back and ask again" }).click();
  await expect(talk.getByText("My second guess is 9.")).toBeVisible();
  await expect(talk.getByText("You are welcome.")).toBeHidden();
  await expect(talk.getByText("My first guess is 7.")).toBeHidden();

  await say(page, "Something fragile");
  await expect(talk.getByText("The model failed")).toBeVisible();
  await expect(talk.getByText("the provider is overloaded")).toBeVisible();
  await expectAccessible(page);
  await talk.getByRole("button", { name: "Try again" }).click();
  await expect(talk.getByText("Now it holds.")).toBeVisible();
  await expect(talk.getByText("The model failed")).toBeHidden();
});

test("what a model writes is text, whatever it pretends to be", async ({ page, toolgate, signedInAs }) => {
  await addClerk(toolgate);
  await signedInAs("member");
  await begin(page, "Show me a hostile page");
  const talk = conversation(page);
  await expect(talk.getByText('<script>document.title = "taken"</script>')).toBeVisible();
  await expect(talk.getByText("the page", { exact: true })).toBeVisible();
  await expect(talk.locator("img, script, iframe")).toHaveCount(0);
  await expect(talk.getByRole("link", { name: "press me" })).toHaveCount(0);
  await expect(page).toHaveTitle("Show me a hostile page · Toolgate");
});

test.describe("with a server that dies", () => {
  const model = script(RULES);
  test.use({ serverArgs: ["--model-script", model] });

  test("the server is killed in the middle of an answer, and the page goes on when it is back", async ({ page, toolgate, signedInAs, guard }) => {
    guard.allow(/ERR_CONNECTION_REFUSED/, /ERR_INCOMPLETE_CHUNKED_ENCODING/, /ERR_EMPTY_RESPONSE/, /ERR_CONNECTION_RESET/);
    await addClerk(toolgate);
    await signedInAs("member");
    await begin(page, "Tell me a long story");
    await expect(conversation(page).getByText("Once upon a time there was a gate.")).toBeVisible();
    await toolgate.server.kill();
    await expect(page.getByText("The connection broke.")).toBeVisible();
    await expect(conversation(page).getByText("Once upon a time there was a gate.")).toBeVisible();
    // After the restart the model has an end to its story.
    writeFileSync(model, JSON.stringify({ rules: [{ contains: "long story", replies: [{ deltas: ["Once upon a time ", "there was a gate.", " It opened."] }] }] }));
    await toolgate.server.startAgain();
    await expect(conversation(page).getByText("Once upon a time there was a gate. It opened.", { exact: true })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText("The connection broke.")).toBeHidden();
    await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
  });
});

test("threads are found, renamed and archived on a phone, and the timeline is a sheet", async ({ page, toolgate, signedInAs }) => {
  await page.setViewportSize(PHONE);
  await addClerk(toolgate);
  await signedInAs("member");
  await begin(page, "Please compare the regions");
  await expect(conversation(page).getByText("all four regions together made 428.")).toBeVisible();
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Timeline" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Timeline" });
  await expect(sheet.getByRole("link", { name: /Calculate.*428/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Back to the threads" }).click();
  await page.getByRole("button", { name: "Actions for “Please compare the regions”" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Regions in March");
  await page.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("link", { name: /Regions in March/ })).toBeVisible();
  await page.getByRole("searchbox", { name: "Find a thread" }).fill("nothing like it");
  await expect(page.getByText("No thread is called “nothing like it”.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the search" }).click();
  await page.getByRole("button", { name: "Actions for “Regions in March”" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expect(page.getByRole("link", { name: /Regions in March/ })).toBeHidden();
  await page.getByRole("listitem").filter({ hasText: "The thread is archived" }).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("link", { name: /Regions in March/ })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test("a keyboard is enough, from the library to the answer", async ({ page, toolgate, signedInAs }) => {
  await addClerk(toolgate);
  await toolgate.api.post("/api/agents", { handle: "archivist", display_name: "Archivist" });
  await signedInAs("operator");
  await page.goto("/tools");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page.getByRole("heading", { level: 1, name: "Chat" })).toBeVisible();
  const clerk = page.getByRole("radio", { name: /Sales clerk/ });
  await page.getByRole("radio", { name: /Archivist/ }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(clerk).toBeChecked();
  await page.keyboard.press("Tab");
  await page.keyboard.type("First line");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("and a letter to Kim");
  await page.keyboard.press("Enter");
  const asked = page.getByRole("region", { name: "May the agent use “Send letter”?" });
  await asked.getByRole("button", { name: "Approve" }).focus();
  await page.keyboard.press("Enter");
  await expect(conversation(page).getByText("The letter to Kim is on its way.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Send letter/ }), "the focus is where the question was").toBeFocused();
  await expect(conversation(page).getByText("First line\nand a letter to Kim")).toBeVisible();
});

test("sin agentes, la página enseña el primer paso; quien no puede, lo lee", async ({ page, signedInAs, anotherBrowser, guard }) => {
  guard.allow(/status of 403/);
  await page.addInitScript(() => localStorage.setItem("toolgate.language", "es"));
  await signedInAs("builder");
  await page.goto("/chat");
  await expect(page.getByRole("heading", { name: "Aún no hay ningún agente con quien hablar" })).toBeVisible();
  await expect(page.getByText("toolgate agent create clerk")).toBeVisible();
  await expect(page.getByRole("link", { name: "Crear un agente" })).toBeVisible();
  await expectAccessible(page);

  const viewer = await anotherBrowser("viewer");
  await viewer.goto("/chat");
  await expect(viewer.getByRole("heading", { name: "You may not see this" })).toBeVisible();
  await expectAccessible(viewer);
});
