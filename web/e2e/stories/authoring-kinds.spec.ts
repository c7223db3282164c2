import { expect, expectAccessible, test } from "../harness";
import { script } from "../harness/model";
import { addField, beginTool, ended, field, openTool, publish, run, tab, tryIt, write } from "../seeds/authoring";
import { Shop, TOKEN } from "../seeds/shop";

const RULES = [
  { contains: "forever", replies: [{ deltas: ["Dear Kim, ", "first of all"], hang: true }] },
  { contains: "urgent", replies: [{ text: "let me think" }] },
  { contains: "That does not fit", replies: [{ json: { urgency: "high", why: "Nobody can pay." } }] },
  { contains: "letter", replies: [{ deltas: ["Dear Kim, ", "see you on Monday."] }] },
];
// The shop of these stories is on this machine, and the model plays a script.
test.use({ serverArgs: ["--allow-host", "127.0.0.1", "--model-script", script(RULES)] });
// The server is asked while one writes, and says what is missing.
test.beforeEach(({ guard }) => guard.allow(/status of 4(09|22)/));

test("a request is written down without code: with a secret, a query and the part of the answer that counts", async ({ page, toolgate, signedInAs }) => {
  const shop = await Shop.start();
  await toolgate.api.put("/api/secrets/SHOP_TOKEN", { value: TOKEN, scope: "tenant" });
  await signedInAs("builder");
  await beginTool(page, "find_order", "Finds an order by its number.", "HTTP request");
  await field(page, "Address").fill(`${shop.url}/orders/{order}`);
  await page.getByRole("button", { name: "Add to Query" }).click();
  await expect(page.getByLabel("Query: name 1")).toBeFocused();
  await page.keyboard.type("currency");
  await page.getByLabel("Query: value 1").fill("EUR");
  await field(page, "Who asks").selectOption("Bearer token");
  await field(page, "Secret").fill("SHOP_TOKEN");
  // A name that the tool does not declare is refused, at the place where it stands.
  await expect(page.getByRole("alert").filter({ hasText: /SHOP_TOKEN/ })).toBeVisible();
  await field(page, "Names of the secrets it needs").fill("SHOP_TOKEN");
  await page.keyboard.press("Enter");
  await field(page, "Part of the response").fill("{customer: customer, currency: asked_in}");
  await field(page, "It becomes").selectOption("The whole answer");
  await addField(page, "order", "Number of the order");
  await page.getByLabel("Number of the order required").fill("A-17");
  await tryIt(page);
  await expect(ended(page, "Done")).toBeVisible();
  await expect(page.getByText("Northwind Traders")).toBeVisible();
  await tab(page, "Execution").click();
  await expectAccessible(page);
  await publish(page, "find_order@1.0.0");

  await openTool(page, "Find order");
  await page.getByLabel("Number of the order required").fill("A-18");
  await run(page);
  await expect(page.getByText("Blue Yonder")).toBeVisible();
  await expect(page.getByText("EUR")).toBeVisible();
  // What the other side refuses is told in its own words.
  await page.getByLabel("Number of the order required").fill("A-99");
  await run(page);
  await expect(ended(page, "The call failed")).toBeVisible();
  await expect(page.getByText("PROVIDER_ERROR").first()).toBeVisible();
  await expect(page.getByText(/no such order/).first()).toBeVisible();
  // A host that may be reached cannot lead a tool to one that may not.
  await page.getByLabel("Number of the order required").fill("moved");
  await run(page);
  await expect(page.getByText("POLICY_DENIED").first()).toBeVisible();
  await expect(page.getByText("127.0.0.2 is a loopback address, which tools may not reach unless the operator allows it")).toBeVisible();
  await expect(page.getByText("Nothing was sent there.")).toBeVisible();
  await expectAccessible(page);
  await shop.stop();
});

test("a request that writes asks a person even while it is only tried", async ({ page, toolgate, signedInAs, anotherBrowser }) => {
  const shop = await Shop.start();
  await toolgate.api.put("/api/secrets/SHOP_TOKEN", { value: TOKEN, scope: "tenant" });
  await signedInAs("builder");
  await beginTool(page, "open_ticket", "Opens a ticket at the shop.", "HTTP request");
  await field(page, "Method").selectOption("POST");
  await field(page, "Address").fill(`${shop.url}/tickets`);
  await write(page, "Body", '{"title": "$input.title", "from": "toolgate"}');
  await field(page, "Who asks").selectOption("Bearer token");
  await field(page, "Secret").fill("SHOP_TOKEN");
  await field(page, "Names of the secrets it needs").fill("SHOP_TOKEN");
  await page.keyboard.press("Enter");
  await addField(page, "title", "What is wrong");
  await page.getByLabel("What is wrong required").fill("The till is down");
  await tryIt(page);
  await expect(page.getByRole("heading", { name: "Waiting for a person" })).toBeVisible();
  expect(shop.tickets).toEqual([]);
  const pia = await anotherBrowser("approver");
  await pia.goto("/inbox");
  await pia.getByRole("article").filter({ hasText: "open_ticket" }).getByRole("button", { name: "Approve", exact: true }).click();
  await expect(ended(page, "Done")).toBeVisible();
  await expect(page.getByText("T-1")).toBeVisible();
  expect(shop.tickets).toEqual([{ title: "The till is down", from: "toolgate" }]);
  await publish(page, "open_ticket@1.0.0");
  expect((await toolgate.api.get("/api/tools/open_ticket")).egress_class).toBe("write");
  await shop.stop();
});

test("a prompt is written, its answer streams into the test, and with a schema the model is held to it", async ({ page, signedInAs }) => {
  await signedInAs("builder");
  await beginTool(page, "write_letter", "Writes a letter about something.", "Prompt");
  await write(page, "What is said", "Write a letter about {{ topic }}.");
  await field(page, "System prompt").fill("You are brief.");
  await addField(page, "topic", "Topic");
  await page.getByLabel("Topic required").fill("waiting forever");
  await tryIt(page);
  await expect(page.getByRole("log", { name: "What the tool says" })).toContainText("Dear Kim, first of all");
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(ended(page, "Cancelled")).toBeVisible();
  await page.getByLabel("Topic required").fill("Monday");
  await tryIt(page);
  await expect(page.getByText("Dear Kim, see you on Monday.")).toBeVisible();
  await publish(page, "write_letter@1.0.0");

  // The next version answers with a shape; what does not fit goes back to the model.
  await tab(page, "Execution").click();
  await write(page, "What is said", "How urgent is this? {{ topic }}");
  await tab(page, "Schema").click();
  await page.getByRole("button", { name: "Describe the answer" }).click();
  const output = page.getByRole("list", { name: "Output" });
  for (const [index, key] of ["urgency", "why"].entries()) {
    await page.getByRole("button", { name: "Add a field" }).last().click();
    await output.getByLabel("Key", { exact: true }).nth(index).fill(key);
    await output.getByRole("checkbox", { name: "Must be filled in" }).nth(index).check();
  }
  await page.getByRole("button", { name: "2.0.0" }).click();
  await expectAccessible(page);
  await publish(page, "write_letter@2.0.0");
  await openTool(page, "Write letter");
  await page.getByLabel("Topic required").fill("The till is down");
  await run(page);
  await expect(page.getByText("Nobody can pay.")).toBeVisible();
  await expect(page.getByText("high", { exact: true })).toBeVisible();
});
