import { writeFileSync } from "node:fs";

import { expect, expectAccessible, expectNoSidewaysScroll, OWN, PHONE, SERVER_GONE, shot, test } from "../harness";
import { script } from "../harness/model";
import { addClerk, begin, composer, conversation, RULES, say } from "../seeds/chat";

test.use({ serverArgs: ["--model-script", script(RULES)] });

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
  await expectAccessible(page);
  await shot(page, "chat");

  await talk.getByRole("button", { name: /^Calculate/ }).click();
  await expect(talk.getByRole("tree", { name: "Input" }).first()).toContainText("120 + 95");
  await page.reload();
  await expect(talk.getByText("2 calls at once")).toBeVisible();
  await expect(talk.getByText("2,300 tokens in, 160 out")).toBeVisible();
  await say(page, "Thank you");
  await expect(talk.getByText("You are welcome.")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Sales clerk answered: You are welcome." }), "an answer is announced, once it is whole").toBeAttached();
});

test("a call that asks is approved in the conversation, and the run goes on; another is rejected with a reason", async ({ page, toolgate, signedInAs, anotherBrowser }) => {
  await addClerk(toolgate);
  await signedInAs("operator");
  await begin(page, "Write a letter to Kim");
  const asked = page.getByRole("region", { name: "May the agent use “Send letter”?" });
  await expect(asked.getByRole("tree", { name: "Input" })).toContainText("kim@example.org");
  await expect(page.getByText("Sales clerk waits for a person’s answer above.")).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await asked.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(conversation(page).getByText("The letter to Kim is on its way.")).toBeVisible();
  await expect(asked).toBeHidden();

  await say(page, "Another letter to Kim");
  await page.setViewportSize(PHONE);
  await asked.getByRole("button", { name: "Reject", exact: true }).click();
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

  test("the server is killed in the middle of an answer, and the page goes on when it is back", OWN, async ({ page, toolgate, signedInAs, guard }) => {
    guard.allow(SERVER_GONE);
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
