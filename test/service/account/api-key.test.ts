import { expect, test } from "@jest/globals";
import { createApiKey } from "../../../src/account/api-key.ts";
import { authenticate } from "../../../src/account/authentication.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { RowLock } from "../../setup/service/row-lock.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();

const actorBy = (key: string, now = zones.now) => authenticate(zones.session().em, { kind: "key", secret: key }, now);
const unauthenticated = expect.objectContaining({ code: "UNAUTHENTICATED" });

test("a key authenticates the user it was created for", async () => {
  const { key, apiKey } = await createApiKey(zones.session(), { name: "k", userId: zones.userId, readOnly: true });
  expect(await actorBy(key)).toEqual({
    role: "user",
    userId: zones.userId,
    readOnly: true,
    keyId: apiKey.id,
    name: `k (${apiKey.fingerprint.slice(0, 8)})`,
  });
});

test("a key ends when it expires, though it was used a moment before", async () => {
  const expiresAt = new Date(zones.now.getTime() + 1000);
  const { key } = await createApiKey(zones.session(), { name: "k", expiresAt });
  expect(await actorBy(key, new Date(expiresAt.getTime() - 1))).toMatchObject({ role: "administrator" });
  await expect(actorBy(key, expiresAt)).rejects.toEqual(unauthenticated);
});

test("a key that another process revoked ends while it is used, sooner or later", async () => {
  const { key, apiKey } = await createApiKey(zones.session(), { name: "k" });
  expect(await actorBy(key)).toMatchObject({ role: "administrator" });
  await zones.sql("update api_key set revoked_at = now() where id = $1", [apiKey.id]);
  await eventually(() => expect(actorBy(key)).rejects.toEqual(unauthenticated));
});

test("requests that carry one key at the same time look it up once", async () => {
  const { key } = await createApiKey(zones.session(), { name: "k" });
  const lock = await RowLock.take(zones.url, "no.example");
  try {
    await lock.run("lock table api_key in access exclusive mode");
    const asked = Array.from({ length: 20 }, () => actorBy(key));
    await lock.waiters(1);
    // There are connections left.
    expect(await zones.session().em.execute("select 1 as one")).toEqual([{ one: 1 }]);
    await lock.run("commit");
    expect(await Promise.all(asked)).toHaveLength(20);
  } finally {
    await lock.release();
  }
});
