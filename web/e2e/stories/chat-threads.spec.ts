import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, test } from "../harness";
import { script } from "../harness/model";
import { addClerk, begin, conversation, RULES } from "../seeds/chat";

test.use({ serverArgs: ["--model-script", script(RULES)] });

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
  await expect(async () => {
    // The second key counts soon after the first, which a busy machine may miss.
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await expect(page.getByRole("heading", { level: 1, name: "Chat" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
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
  await asked.getByRole("button", { name: "Approve", exact: true }).focus();
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
