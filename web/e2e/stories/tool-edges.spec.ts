import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, expectAccessible, expectNoSidewaysScroll, OWN, PHONE, SERVER_GONE, test } from "../harness";

const run = promisify(execFile);

test("the call as curl works as it stands", async ({ page, toolgate, signedInAs }) => {
  await signedInAs("member");
  await page.goto("/tools/render_template");
  await page.getByRole("button", { name: "As JSON" }).click();
  // What a shell would trip over: quotes of both kinds, a dollar, a backslash, a line break.
  const input = { template: "It's {{ who }}: \"$HOME\" \\ `x`\nsecond line", values: { who: "O'Neill" } };
  const editor = page.getByRole("textbox", { name: "As JSON" });
  await editor.fill(JSON.stringify(input));
  await page.getByRole("tab", { name: "As code" }).click();
  const command = page.getByRole("region", { name: "curl" });
  await expect(command).toContainText("second line");
  const key = await toolgate.api.post("/api/keys", { name: "shell", scopes: ["tools:execute"] });
  const { stdout } = await run("bash", ["-c", await command.innerText()], { env: { PATH: process.env.PATH, TOOLGATE_KEY: key.key as string } });
  const envelope = JSON.parse(stdout) as { output: unknown; error?: unknown };
  expect(envelope.error ?? null).toBeNull();
  expect(JSON.stringify(envelope.output)).toContain("It's O'Neill");
  expect((await command.innerText()).includes(String(key.key)), "no key is in it").toBe(false);
});

test("a file goes along with the call, and one that is too large does not", async ({ page, toolgate, signedInAs }) => {
  await toolgate.addTool("read_letter", {
    input_schema: { type: "object", required: ["letter"], additionalProperties: false, properties: { letter: { type: "string", title: "Letter", contentEncoding: "base64", "x-field": { display: "file", max_bytes: 1000 } } } },
    execution: { kind: "builtin", handler: "render_template", arguments: { template: "got {{ letter }}", values: "$input" } },
  });
  await signedInAs("member");
  await page.goto("/tools/read_letter");
  await page.getByLabel("Letter required").setInputFiles({ name: "big.txt", mimeType: "text/plain", buffer: Buffer.alloc(2_000) });
  await expect(page.getByRole("alert")).toHaveText("big.txt has 2 kB; at most 1 kB fit.");
  await page.getByLabel("Letter required").setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear Kim") });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText(`got ${Buffer.from("Dear Kim").toString("base64")}`)).toBeVisible();
  await expectAccessible(page);
});

test("a server that is gone while a tool runs is not mistaken for an answer, and the history has the call", OWN, async ({ page, toolgate, signedInAs, guard }) => {
  guard.allow(SERVER_GONE);
  await signedInAs("member");
  await page.goto("/tools/wait");
  await page.getByLabel("ms required").fill("50000");
  await page.getByLabel("every_ms").fill("100");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("log", { name: "What the tool says" })).toContainText("waited_ms");
  await toolgate.server.kill();
  await expect(page.getByText("The connection broke. The call may still run: the history has how it ends.")).toBeVisible();
  await expectAccessible(page);
  await toolgate.server.startAgain();
  await page.getByRole("tab", { name: "History" }).click();
  // A server that was killed takes its calls up again when their lease is over; until then they count as running.
  await expect(page.getByRole("listitem").getByText(/^(Running|Failed)$/)).toBeVisible();
  await page.getByRole("button", { name: "Fill the form with this input" }).first().click();
  await expect(page).toHaveURL(/from=inv_/);
  await page.reload();
  await expect(page.getByLabel("ms required"), "the address remembers which call fills the form").toHaveValue("50000");
});

test("who may look but not call is told so before, and who lost the right while the page was open is told then", async ({ page, toolgate, signedInAs, anotherBrowser, guard }) => {
  guard.allow(/status of 403/);
  const vera = await anotherBrowser("viewer");
  await vera.goto("/tools/calculate");
  await expect(vera.getByText("You may look at this tool, but not call it.")).toBeVisible();
  await expect(vera.getByRole("button", { name: "Run", exact: true })).toBeDisabled();
  await expectAccessible(vera);

  const max = await signedInAs("member");
  await page.goto("/tools/calculate");
  await page.getByLabel("expression required").fill("1 + 1");
  await toolgate.api.patch(`/api/users/${max.id}`, { roles: ["viewer"] });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("The call was not made")).toBeVisible();
  await expect(page.getByText("FORBIDDEN")).toBeVisible();
});

test("a long description is folded, and the steps above the page lead back", async ({ page, toolgate, signedInAs }) => {
  const sentence = "It reads the whole archive of the last ten years, sorts it by what matters to whom, and writes down what it found. ";
  await toolgate.addTool("dig_archive", { description: sentence.repeat(8).trim() });
  await signedInAs("member");
  await page.setViewportSize(PHONE);
  await page.goto("/tools/dig_archive");
  const more = page.getByRole("button", { name: "Show more" });
  await expect(more).toHaveAttribute("aria-expanded", "false");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await more.click();
  await expect(page.getByRole("button", { name: "Show less" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("listitem")).toHaveText(["Tools"]);
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Tools" }).click();
  await expect(page).toHaveURL(/\/tools$/);
});
