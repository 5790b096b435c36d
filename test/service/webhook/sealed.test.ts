/**
 * Secrets of webhooks are encrypted in the database where SECRET_KEY is set, and shown nowhere but at their creation and rotation.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testService } from "../../setup/service/service.ts";
import { receiversAllowed, WebhookReceiver } from "../../setup/service/webhook-receiver.ts";

const service = testService({
  ...receiversAllowed,
  SECRET_KEY: "a secret key of 32 characters or more",
  LOG_LEVEL: "debug",
});
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver.stop());

test("a secret is encrypted in the database and in no answer, log or message", async () => {
  const id = await receiver.subscribe(service, "/sealed", { events: ["KEY_CREATED"] });
  const first = receiver.secrets.get("/sealed") as string;
  const rotate = "mutation ($id: ID!) { rotateWebhookSecret(input: { id: $id }) { secret } }";
  const { secret } = (await service.data(rotate, { id })).rotateWebhookSecret;
  receiver.secrets.set("/sealed", secret);
  receiver.answer = () => 500;
  await service.key({ name: "laptop" });
  await eventually(() => receiver.received.length > 0);
  receiver.answer = () => 204;
  await service.sql("update webhook_queue set next_at = now()");
  await eventually(() => receiver.at("/sealed").length === 1);
  expect(receiver.wrong).toEqual([]);
  const [row] = await service.sql<{ text: string; sealed: boolean }>(
    "select to_jsonb(w)::text || encode(secret, 'base64') || encode(previous_secret, 'base64') as text, is_sealed as sealed from webhook w",
  );
  expect(row?.sealed).toBe(true);
  const lists = JSON.stringify(
    await service.data("{ webhooks { nodes { id name url user { id } deliveries { nodes { payload lastError } } } } }"),
  );
  for (const one of [first, secret]) {
    const bare = one.replace("whsec_", "");
    const hex = Buffer.from(bare, "base64").toString("hex");
    for (const place of [row?.text, lists, service.logged.join("\n"), JSON.stringify(receiver.received)])
      expect(place?.includes(bare) || place?.includes(hex)).toBe(false);
  }
});
