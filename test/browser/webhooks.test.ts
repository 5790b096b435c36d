/** Webhooks in the console: one is created, its secret is shown once, its messages are seen with their results and sent again. */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { clickButtons, testConsole } from "../setup/browser/console-browser.ts";
import { adminKey } from "../setup/service/service.ts";
import { receiversAllowed, WebhookReceiver } from "../setup/service/webhook-receiver.ts";

const { test, service, browser } = testConsole(receiversAllowed);
let receiver: WebhookReceiver;
let owner = "";

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver.stop());

test("a webhook is created with events and zones, and its secret is nowhere afterwards", async () => {
  const { page } = await browser.open("/console/settings/webhooks");
  await page.getByText("There are no webhooks").waitFor();
  await page.getByRole("button", { name: "New webhook" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New webhook" });
  await dialog.getByLabel("Name").fill("chat");
  await dialog.getByLabel("URL").fill(receiver.url("/chat"));
  await dialog.getByLabel("Zones").fill("one.example.com");
  await dialog.getByLabel("domain.created").check();
  await dialog.getByRole("button", { name: "Create" }).click();
  const shown = page.getByRole("region", { name: "Webhook chat" });
  const secret = await shown.locator("code").innerText();
  browser.secrets.push(secret);
  expect(secret).toMatch(/^whsec_/);
  receiver.secrets.set("/chat", secret);
  await shown.getByText("There is no zone one.example.com").waitFor();
  await shown.getByRole("button", { name: "Close" }).click();
  await page.getByRole("cell", { name: "domain.created, change.committed" }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await service.domain("one.example.com", owner);
  await service.domain("two.example.com", owner);
  await eventually(() => receiver.at("/chat").length === 2);
  expect(receiver.at("/chat").map(({ type, data }) => [type, data.zone])).toEqual([
    ["domain.created", "one.example.com"],
    ["change.committed", "one.example.com"],
  ]);
  expect(receiver.wrong).toEqual([]);
});

test("what cannot be a URL is said at its field, which comes into sight with the focus", async () => {
  const { page } = await browser.open("/console/settings/webhooks?new=webhook", adminKey, { height: 480 });
  const dialog = page.getByRole("dialog", { name: "New webhook" });
  await dialog.getByLabel("Name").fill("chat");
  await dialog.getByLabel("URL").fill("https://10.0.0.1/");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("10.0.0.1 is no address of the public internet").waitFor();
  const field = dialog.getByLabel("URL").and(page.locator("[aria-invalid=true]:focus"));
  await field.waitFor();
  const { y = -1 } = (await field.boundingBox()) ?? {};
  expect(y).toBeGreaterThan((await dialog.boundingBox())?.y ?? 0);
  await dialog.getByLabel("change.committed").uncheck();
  await dialog.getByText("Choose one event at least.").waitFor();
});

test("messages show their results; a dead one is sent again, and a test is sent", async () => {
  const id = await receiver.subscribe(service, "/dead", { events: ["DOMAIN_CREATED"] });
  receiver.answer = ({ path }) => (path === "/dead" ? 503 : 204);
  await service.domain("dead.example.com", owner);
  const { page } = await browser.open(`/console/settings/webhooks/${id}`);
  await page.getByRole("cell", { name: "The receiver answered 503." }).waitFor();
  await page.getByText("failing since").waitFor();
  await service.sql("update webhook_delivery set retry_until = now() where webhook_id = $1", [id]);
  await service.sql("update webhook_queue set next_at = now()");
  await page.getByRole("cell", { name: /^dead \d+ attempts/ }).waitFor();
  receiver.answer = () => 204;
  await page.getByRole("button", { name: /^Show domain.created/ }).click();
  await page.getByRole("dialog").getByText('"zone": "dead.example.com"').waitFor();
  await page.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: /^Send again domain.created/ }).click();
  await page.getByRole("cell", { name: "delivered 204" }).waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByRole("cell", { name: "webhook.test", exact: true }).waitFor();
  await eventually(() => receiver.at("/dead").length === 2);
  expect(receiver.at("/dead").map(({ type }) => type)).toEqual(["domain.created", "webhook.test"]);
});

test("a webhook is edited, switched off, given a new secret and deleted", async () => {
  const id = await receiver.subscribe(service, "/edited", { events: ["DOMAIN_CREATED"] });
  const { page } = await browser.open(`/console/settings/webhooks/${id}`);
  await clickButtons(page, "New secret…", "Make a new secret");
  const shown = page.getByRole("region", { name: "The new secret of /edited" });
  browser.secrets.push(await shown.locator("code").innerText());
  await shown.getByRole("button", { name: "Close" }).click();
  await page.getByText("Also signed with the previous secret").waitFor();
  await page.getByRole("button", { name: "Edit…" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit /edited" });
  await dialog.getByLabel("Name").fill("renamed");
  await dialog.getByLabel("key.created").check();
  await dialog.getByLabel("It is on").uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "renamed" }).waitFor();
  await page.getByText("domain.created, key.created").waitFor();
  expect(await page.getByRole("button", { name: "Send a test" }).count()).toBe(0);
  await clickButtons(page, "Delete…", "Delete the webhook");
  await page.getByRole("heading", { name: "Webhooks" }).waitFor();
  expect(await service.sql("select from webhook where id = $1", [id])).toEqual([]);
});
