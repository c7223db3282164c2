import { createServer, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { expect, expectAccessible, expectNoSidewaysScroll, PHONE, shot, test } from "../harness";

// The receiver is on this machine, where webhooks lead only with the operator's word.
test.use({ serverArgs: ["--allow-host", "127.0.0.1"] });

/** Somebody outside, who answers with a status and keeps what came. */
async function receiver(): Promise<{ url: string; letters: { type: string }[]; answers: { status: number }; close(): void }> {
  const letters: { type: string }[] = [];
  const answers = { status: 204 };
  const read = async (request: IncomingMessage) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    return JSON.parse(Buffer.concat(parts).toString()) as { type: string };
  };
  const server = createServer((request, response) => {
    void read(request).then((letter) => {
      letters.push(letter);
      response.writeHead(answers.status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/hook`, letters, answers, close: () => server.close() };
}

test("an admin sends questions to a chat: adds the webhook, tests it, and sees what became of each letter @postgres", async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(/status of 4(00|22)/);
  const chat = await receiver();
  await signedInAs("admin");
  await page.goto("/operate/webhooks");
  await expect(page.getByRole("heading", { name: "No webhooks yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add a webhook" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Team chat");
  await dialog.getByLabel("Address").fill("http://chat.example/hook");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("alert"), "in the clear only on this machine").toBeVisible();
  await dialog.getByLabel("Address").fill(chat.url);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  const told = page.getByRole("dialog", { name: "Team chat was added" });
  await expect(told.locator("code")).not.toBeEmpty();
  await expectAccessible(page);
  await told.getByRole("button", { name: "I have kept it" }).click();

  await page.getByRole("row", { name: /Team chat/ }).click();
  const drawer = page.getByRole("dialog", { name: "Team chat" });
  await drawer.getByRole("button", { name: "Send a test" }).click();
  await expect(drawer.getByText("Delivered: the receiver answered 204.")).toBeVisible();
  expect(chat.letters.map(({ type }) => type)).toEqual(["webhook.test"]);
  chat.answers.status = 503;
  await drawer.getByRole("button", { name: "Send a test" }).click();
  await expect(drawer.getByText("Not accepted: the receiver answered 503.")).toBeVisible();

  chat.answers.status = 204;
  await toolgate.addApproval();
  await expect(drawer.getByRole("listitem").getByText("Delivered"), "a question becomes a letter, live").toBeVisible();
  await expect(drawer.getByRole("link", { name: "The call" })).toBeVisible();
  await expectAccessible(page);
  await shot(page, "webhooks");
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await drawer.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "No webhooks yet" })).toBeVisible();
  chat.close();
});

test("a member who comes to the webhooks is told that they may not see them", async ({ page, signedInAs, guard }) => {
  guard.allow(/status of 403/);
  await signedInAs("member");
  await page.goto("/operate/webhooks");
  await expect(page.getByRole("heading", { name: "You may not see this" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Add a webhook" })).toHaveCount(0);
  await expectAccessible(page);
});
