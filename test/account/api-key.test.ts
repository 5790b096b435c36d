import { beforeAll, expect, test } from "@jest/globals";
import { authenticate, createApiKey } from "../../src/account/api-key.ts";
import { createUser } from "../../src/account/user.ts";
import { query } from "../setup/database.ts";
import { eventually } from "../setup/eventually.ts";
import { testZones } from "../setup/session.ts";

const zones = testZones();
let userId: number;
beforeAll(async () => {
  userId = (await createUser(zones.session(), "owner@example.com")).id;
});

const actorOf = (key: string, now = zones.now) => authenticate(zones.session().em, key, now);
const unauthenticated = expect.objectContaining({ code: "UNAUTHENTICATED" });

test("a key authenticates the user it was created for", async () => {
  const { key, apiKey } = await createApiKey(zones.session(), { name: "k", userId, readOnly: true });
  expect(await actorOf(key)).toEqual({
    role: "user",
    userId,
    readOnly: true,
    name: `k (${apiKey.fingerprint.slice(0, 8)})`,
  });
});

test("a key ends when it expires, though it was used a moment before", async () => {
  const expiresAt = new Date(zones.now.getTime() + 1000);
  const { key } = await createApiKey(zones.session(), { name: "k", expiresAt });
  expect(await actorOf(key, new Date(expiresAt.getTime() - 1))).toMatchObject({ role: "administrator" });
  await expect(actorOf(key, expiresAt)).rejects.toEqual(unauthenticated);
});

test("a key that another process revoked ends while it is used, sooner or later", async () => {
  const { key, apiKey } = await createApiKey(zones.session(), { name: "k" });
  expect(await actorOf(key)).toMatchObject({ role: "administrator" });
  await query(zones.url, "update api_key set revoked_at = now() where id = $1", [apiKey.id]);
  await eventually(() => expect(actorOf(key)).rejects.toEqual(unauthenticated));
});
