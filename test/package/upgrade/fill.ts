/**
 * Fills an empty database through a service's own interfaces with all that a later version must keep. The service runs twice:
 * without SECRET_KEY and secondaries, then with both.
 */

import { eventually } from "../../setup/basics/eventually.ts";
import { clientKey } from "../../setup/dns/update-client.ts";
import { fillPublication } from "./fill-publication.ts";
import { fillZones } from "./fill-zones.ts";
import type { Setup } from "./questions.ts";
import { World } from "./world.ts";

/** The settings of the service that is filled. A change is LATE at once, so that no state depends on when one looks. */
export const settings = {
  SECRET_KEY: "upgrade-secret-key-0123456789-0123456789",
  PUBLICATION_LATE_SECONDS: "1",
  HOSTMASTER: "hostmaster.example.net.",
  NAME_SERVERS: "ns1.example.net. ns2.example.net.",
} as const;

/** Fills a database and stops the service again; returns what is needed besides the database to ask about it. */
export async function fill(databaseUrl: string): Promise<Setup> {
  const world = new World(databaseUrl);
  try {
    const { SECRET_KEY: _none, ...unsealed } = settings;
    await world.start(unsealed);
    await users(world);
    await apiKeys(world);
    await tsigKeys(world);
    await fillZones(world);
    await updates(world);
    await world.start(settings);
    await fillPublication(world);
    return setupOf(world);
  } finally {
    await world.stop();
  }
}

async function users(world: World): Promise<void> {
  for (const email of ["alice@example.com", "bob@example.net", "carol@example.org", "dave@example.com"])
    await world.user(email);
  for (const email of ["erin@example.com", "frank@example.com"]) await world.user(email);
  const { body } = await world.rest({ method: "POST", path: "/user/add", form: { email: "Grace.Hopper@Example.COM" } });
  const form = { email: "Grace+dns@Example.com" };
  await world.rest({ method: "PUT", path: `/user/edit/${body.id}`, form });
}

async function apiKeys(world: World): Promise<void> {
  const alice = "alice@example.com";
  await world.apiKey("second administrator");
  await world.apiKey("administrator, read-only", { readOnly: true });
  await world.apiKey("alice", { user: alice });
  await world.apiKey("alice, read-only", { user: alice, readOnly: true, expiresAt: "2099-12-31T23:59:59.999Z" });
  await world.apiKey("alice, expired", { user: alice, expiresAt: new Date(Date.now() + 1000).toISOString() });
  await world.apiKey("alice, revoked", { user: alice });
  await world.run("revokeApiKey", { id: world.id("alice, revoked") }, "alice");
  await world.apiKey("bob", { user: "bob@example.net" });
  await world.apiKey("carol", { user: "carol@example.org" });
  await world.apiKey("dave", { user: "dave@example.com" });
  await world.apiKey("revoked administrator");
  await world.run("revokeApiKey", { id: world.id("revoked administrator") });
  await world.apiKey("Käthe's laptop ☕", { user: "bob@example.net" });
}

/** TSIG keys whose secrets are stored as they are. */
async function tsigKeys(world: World): Promise<void> {
  const user = "bob@example.net";
  await world.tsigKey("all.bob", { user });
  await world.tsigKey("acme.bob", { user, zones: ["updates.example"], owners: ["_acme-challenge*"], types: ["TXT"] });
  await world.tsigKey("strong.bob", { user, algorithm: "hmac-sha512", transfer: false });
  await world.tsigKey("nobodys", { zones: ["*.example", "updates.example"], algorithm: "hmac-sha384" });
  await world.tsigKey("expired", { user, expiresAt: new Date(Date.now() + 1000).toISOString() });
  await world.tsigKey("lasting", { user, expiresAt: "2099-12-31T23:59:59.999Z" });
  await world.tsigKey("revoked", { user });
  await world.run("revokeTsigKey", { id: world.id("revoked") });
  await world.tsigKey("bind1.example.net", { algorithm: "hmac-sha512" });
}

/** Dynamic updates, and those that are refused and noted. */
async function updates(world: World): Promise<void> {
  const zone = "updates.example";
  await world.domain(zone, "bob@example.net");
  await world.update(zone, ["add host 300 A 192.0.2.1", "add host 300 A 192.0.2.2", "add host 300 TXT a b"], "all.bob");
  await world.update(zone, ["yxrrset host A", "del host A 192.0.2.1", "add new 60 AAAA 2001:db8::7"], "strong.bob");
  await world.update(zone, ["del host TXT", "del www", "add _acme-challenge 120 TXT gone"], "nobodys");
  await world.update(zone, ["del _acme-challenge TXT", "add _acme-challenge.www 120 TXT token"], "acme.bob");
  await world.update(zone, ["add refused 300 A 192.0.2.1"], "acme.bob", "REFUSED");
  await world.update(zone, ["yxdomain nobody", "add a 300 A 192.0.2.1"], "all.bob", "NXDOMAIN");
  await world.update(zone, ["add host 300 CNAME a.example.net."], "all.bob");
  await world.update(zone, ["add unsigned 300 A 192.0.2.1"], undefined, "REFUSED");
  await world.update(zone, ["add a 300 A 192.0.2.1"], clientKey("unknown", "AAAA"), "NOTAUTH");
  await world.update(zone, ["add a 300 A 192.0.2.1"], clientKey("all.bob", "AAAA"), "NOTAUTH");
  await world.update(zone, ["add a 300 A 192.0.2.1"], "revoked", "NOTAUTH");
  await world.update("example.com", ["add a 300 A 192.0.2.1"], "all.bob", "NOTAUTH");
  await world.update("nowhere.example", ["add a 300 A 192.0.2.1"], "all.bob", "NOTAUTH");
  await eventually(async () => {
    const { rcode } = await world.updates.update(zone, ["yxdomain host"], { key: world.tsigKeys.get("expired") });
    return rcode === "NOTAUTH";
  });
  await eventually(async () => {
    const key = world.apiKeys.get("alice, expired") as string;
    return (await world.service.rest({ key, path: "/user/list" })).status === 401;
  });
}

function setupOf(world: World): Setup {
  const tsigKeys = [...world.tsigKeys.values()].map(({ name, algorithm, secret }) => {
    return [name, { algorithm, secret: Buffer.from(secret).toString("base64") }] as const;
  });
  return {
    settings,
    apiKeys: Object.fromEntries(world.apiKeys),
    tsigKeys: Object.fromEntries(tsigKeys),
    writes: {
      apiKey: "administrator",
      userId: world.id("alice@example.com"),
      zone: "example.com",
      owner: "host",
      deletedZone: "deleted.example",
      deletedSerial: 2099020203,
      catalog: "catalog.zonesmith",
      tsigKey: "knot1.example.net",
    },
  };
}
