// What else one can say to an agent that asks, where the conversation stands: yes for good, and yes to something else.
import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from "../harness";
import { script } from "../harness/model";
import { addClerk, begin, conversation, RULES, say } from "../seeds/chat";

test.use({ serverArgs: ["--model-script", script(RULES)] });

test("a yes for good is given in the conversation, and the agent asks no more; a letter is changed before it goes", async ({ page, toolgate, signedInAs }) => {
  await addClerk(toolgate);
  await toolgate.api.put("/api/agents/sales-clerk/tools", { tools: [{ toolName: "sales_report", permissionStatus: "always_allow" }] });
  await signedInAs("operator");
  await begin(page, "Please compare the regions");
  const talk = conversation(page);
  const sum = page.getByRole("region", { name: "May the agent use “Calculate”?" });
  await sum.getByRole("button", { name: "Approve, and do not ask again" }).click();
  await expect(talk.getByText("and all four regions together made 428.")).toHaveCount(1);
  await expect(sum).toBeHidden();
  const { overrides } = await toolgate.api.get("/api/agents/sales-clerk/tools");
  expect(overrides).toEqual([expect.objectContaining({ toolName: "calculate" })]);
  await say(page, "Please compare the regions again");
  await expect(talk.getByText("and all four regions together made 428."), "nobody was asked this time").toHaveCount(2);
  await expect(sum).toBeHidden();

  await say(page, "And a letter to Kim");
  const letter = page.getByRole("region", { name: "May the agent use “Send letter”?" });
  await expect(letter.getByRole("button", { name: "Approve, and do not ask again" }), "what writes outside asks always").toBeHidden();
  await letter.getByRole("button", { name: "Edit and approve" }).click();
  const dialog = page.getByRole("dialog");
  const approve = dialog.getByRole("button", { name: "Approve with changes" });
  await expect(approve).toBeDisabled();
  await dialog.getByLabel("Letter required").fill("To kim@example.org: see you on Tuesday, Kim.");
  const diff = dialog.getByRole("region", { name: "What you change" });
  await expect(diff).toContainText("Monday");
  await expect(diff).toContainText("Tuesday");
  await page.setViewportSize(PHONE);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await approve.click();
  await expect(talk.getByText("The letter to Kim is on its way.")).toBeVisible();
  await expect(dialog).toBeHidden();
  const [sent] = (await toolgate.api.get("/api/invocations?tool=send_letter")).items;
  expect(sent).toMatchObject({ status: "completed", input: { template: expect.stringContaining("Monday") }, approved_input: { template: expect.stringContaining("Tuesday") } });
  // The conversation tells what ran, and not what was asked for.
  await talk.getByRole("button", { name: /^Send letter/ }).click();
  await expect(talk.getByRole("tree", { name: "Input" }).last()).toContainText("Tuesday");
});
