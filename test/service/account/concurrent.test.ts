/**
 * Keys that end while they are used, and what is written concurrently: of several requests for one name, or for one deletion, exactly one
 * succeeds.
 */
import { describe, expect, test } from "@jest/globals";
import { createApiKey, revokeApiKey } from "../../../src/account/api-key.ts";
import { authenticate } from "../../../src/account/authentication.ts";
import { createTsigKey } from "../../../src/account/create-tsig-key.ts";
import { listTsigKeys, revokeTsigKey } from "../../../src/account/tsig-key.ts";
import { createUser, listUsers } from "../../../src/account/user.ts";
import { createChangeSet } from "../../../src/changeset/stage/stage.ts";
import { Refusal } from "../../../src/errors.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { createWebhook } from "../../../src/webhook/edit-webhook.ts";
import { createDomain, deleteUser } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { updateUser } from "../../../src/zone/lifecycle/update-user.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { RowLock } from "../../setup/service/row-lock.ts";
import { actorOf, reasonsOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();

const actorBy = async (key: string, now = zones.now) =>
  authenticate(zones.session().em, { kind: "key", secret: key }, now);
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

/** How often an operation succeeded, and with which codes it was refused, when it ran several times at once. */
async function outcomes(operation: (at: number) => Promise<unknown>): Promise<{ succeeded: number; codes: string[] }> {
  const settled = await Promise.allSettled(Array.from({ length: 5 }, (_, at) => operation(at)));
  const errors = settled.flatMap((each) => (each.status === "rejected" ? [each.reason as Error] : []));
  for (const error of errors) if (!(error instanceof Refusal)) throw error;
  return { succeeded: settled.length - errors.length, codes: errors.map((error) => (error as Refusal).code) };
}

const refused = (code: string) => ({ succeeded: 1, codes: Array(4).fill(code) });

test("an e-mail address is given to one user, whether new or edited", async () => {
  const create = () => createUser(zones.session(), "one@example.com");
  expect(await outcomes(create)).toEqual(refused("DUPLICATE_EMAIL"));
  const users = await Promise.all(
    Array.from({ length: 5 }, (_, at) => createUser(zones.session(), `edited${at}@example.com`)),
  );
  const edit = (at: number) => updateUser(zones.session(), users[at]?.id as number, { email: "Two@Example.com" });
  expect(await outcomes(edit)).toEqual(refused("DUPLICATE_EMAIL"));
});

test("a session goes on after a refused write", async () => {
  const session = zones.session();
  await createUser(session, "taken@example.com");
  expect(await reasonsOf(createUser(session, "TAKEN@example.com"))).toEqual(["DUPLICATE_EMAIL email"]);
  const { id } = await createUser(session, "free@example.com");
  const taken = updateUser(session, id, { email: "taken@example.com" });
  expect(await reasonsOf(taken)).toEqual(["DUPLICATE_EMAIL email"]);
  const [email, emailKey] = ["Freed@example.com", "freed@example.com"];
  const freed = { id, email, emailKey, createdAt: zones.now, quota: {}, review: "NONE" };
  expect(await updateUser(session, id, { email })).toEqual(freed);
  expect((await listUsers(session, { id }, { first: 1, order: "CREATED" })).rows).toMatchObject([{ email }]);
});

test("a TSIG key's name is given to one key", async () => {
  const create = () => createTsigKey(zones.session(), "Name.Example.", "hmac-sha256");
  expect(await outcomes(create)).toEqual(refused("INVALID_VALUE"));
  const { rows } = await listTsigKeys(zones.session(), { first: 10 });
  expect(rows.map(({ name }) => name)).toEqual(["name.example"]);
});

test("a key that is revoked again keeps the time of its first revocation", async () => {
  const { apiKey } = await createApiKey(zones.session(), { name: "revoked" });
  const { tsigKey } = await createTsigKey(zones.session(), "revoked.example", "hmac-sha256");
  const first = zones.now;
  await Promise.all([revokeApiKey(zones.session(), apiKey.id), revokeTsigKey(zones.session(), tsigKey.id)]);
  zones.now = new Date(first.getTime() + 60_000);
  expect(await revokeApiKey(zones.session(), apiKey.id)).toEqual({ ...apiKey, revokedAt: first });
  expect(await revokeTsigKey(zones.session(), tsigKey.id)).toEqual({ ...tsigKey, revokedAt: first });
});

test("a user is deleted once, and a domain of a user who is being deleted is created before or not at all", async () => {
  const { id } = await createUser(zones.session(), "deleted@example.com");
  expect(await outcomes(() => deleteUser(zones.session(), id, { fate: "DELETE" }))).toEqual(refused("NOT_FOUND"));
  const other = await createUser(zones.session(), "raced@example.com");
  const { codes } = await outcomes((at) =>
    at === 2
      ? deleteUser(zones.session(), other.id, { fate: "DELETE" })
      : createDomain(zones.session(), other.id, `raced${at}.example`),
  );
  expect(codes.filter((code) => code !== "NOT_FOUND")).toEqual([]);
  const { rows } = await listUsers(zones.session(), { id: other.id }, { first: 1, order: "CREATED" });
  expect(rows).toEqual([]);
});

describe("of five that are made at once where one has room", () => {
  const make: Record<string, (actor: Actor, at: number) => Promise<unknown>> = {
    "API keys": (actor) => createApiKey(zones.session(actor), { name: "k" }),
    "TSIG keys": (actor, at) => createTsigKey(zones.session(actor), `k${at}.${actor.name}`, "hmac-sha256"),
    webhooks: (actor) =>
      createWebhook(zones.session(actor), { name: "w", url: "https://example.com/", events: ["key.created"] }),
    "change sets": (actor) => createChangeSet(zones.session(actor), { title: "t" }),
  };
  test.each([
    ["API keys", 98],
    ["TSIG keys", 99],
    ["webhooks", 19],
    ["change sets", 99],
  ])("one of the %s is", async (things, others) => {
    const { id: userId } = await createUser(zones.session(), `counts${others}${things.length}@example.com`);
    const { apiKey } = await createApiKey(zones.session(), { name: "k", userId });
    const actor: Actor = { ...actorOf(userId), keyId: apiKey.id, name: `n${userId}.example` };
    for (let at = 0; at < others; at += 1) await make[things]?.(actor, at);
    const another = (at: number) => make[things]?.(actor, others + at) as Promise<unknown>;
    expect(await outcomes(another)).toEqual(refused("QUOTA_EXCEEDED"));
  });
});
