/**
 * Secondaries and what was seen of them, by the service's own publisher at name servers that transfer and answer as this file says: zones
 * that are served, served late, refused, and served at a serial that was not transferred; deletions; a shrink of the catalog that is held
 * back.
 */
import { eventually } from "../../setup/basics/eventually.ts";
import { Responder } from "../../setup/dns/responder.ts";
import { serialOf, transfer } from "../../setup/dns/transfer.ts";
import { clientKey } from "../../setup/dns/update-client.ts";
import type { Json } from "../../setup/service/service.ts";
import type { World } from "./world.ts";

/** Addresses that nothing else uses, so that a service on the dump reaches nobody. */
const places = {
  knot1: { address: "127.0.7.1", port: 5301 },
  bind1: { address: "127.0.7.2", port: 5302 },
  nsd1: { address: "127.0.7.3", port: 5303 },
} as const;

/** The name servers: knot1 is required and follows the catalog, bind1 only follows it, nsd1 has a list of zones. */
type Servers = Readonly<Record<keyof typeof places, Responder>>;

/** The serial that knot1 serves without a transfer, by zone; null: it refuses the zone. */
type Oddities = Map<string, number | null>;

export async function fillPublication(world: World): Promise<void> {
  const open = (name: keyof typeof places) => Object.assign(new Responder(), places[name]).open();
  const servers: Servers = { knot1: await open("knot1"), bind1: await open("bind1"), nsd1: await open("nsd1") };
  try {
    await register(world, servers);
  } finally {
    for (const server of Object.values(servers)) await server.close();
  }
}

async function register(world: World, servers: Servers): Promise<void> {
  await world.tsigKey("knot1.example.net");
  await world.tsigKey("sealed.bob", { user: "bob@example.net", zones: ["updates.example"] });
  for (const name of ["knot1", "bind1"] as const) {
    const key = world.tsigKeys.get(`${name}.example.net`);
    if (key) servers[name].key = { name: key.name, key };
  }
  const zones = ["refused", "late", "ahead", "resynced", "kept", "removed", "back"].map((name) => `${name}.example`);
  for (const zone of zones) await world.domain(zone, "carol@example.org");
  for (let at = 1; at <= 12; at += 1) await world.domain(`erin${at}.example`, "erin@example.com");
  const odd: Oddities = new Map([["refused.example", null]]);
  for (const zone of ["ahead.example", "resynced.example"]) odd.set(zone, (await world.serial(zone)) + 1000);
  await world.secondary("knot1", { ...places.knot1, tsigKey: "knot1.example.net" });
  await world.secondary("bind1", { ...places.bind1, tsigKey: "bind1.example.net", requiredForLive: false });
  const byAddress = { requiredForLive: false, notify: false, allowUnsignedTransfer: true };
  await world.secondary("nsd1", { ...places.nsd1, ...byAddress });
  await world.secondary("gone", { address: "2001:db8::53", port: 53, notify: false, requiredForLive: false });
  await world.run("deleteSecondary", { id: world.id("gone") });
  const settled = () => eventually(() => isSettled(world, servers, odd));
  await settled();
  odd.set("late.example", await world.serial("late.example"));
  await world.add("late.example", ["behind 300 A 192.0.2.9"]);
  await world.run("updateSecondary", { id: world.id("nsd1"), name: "nsd1 in Ulm" });
  await world.run("resyncDomain", { zone: "resynced.example" });
  odd.delete("resynced.example");
  await world.run("republishDomain", { zone: "names.example" });
  await world.update("updates.example", ["add sealed 300 A 192.0.2.9"], "sealed.bob");
  await world.update("updates.example", ["add mail 300 A 192.0.2.9"], "all.bob");
  await world.update("late.example", ["add mail 300 A 192.0.2.9"], "sealed.bob", "NOTAUTH");
  await settled();
  await deletions(world, servers);
  await settled();
  await silence(world, servers, settled);
  await shrink(world);
  await transfers(world);
  await settled();
}

/** Lets the servers transfer and serve what there is, but for the oddities; what they served and is deleted stays as it was. */
async function follow(world: World, { knot1, bind1, nsd1 }: Servers, odd: Oddities): Promise<void> {
  const { domains, catalog } = await world.query(
    "{ domains(first: 1000) { nodes { zone serial user { email } } } catalog { zone serial } }",
  );
  const take = async (server: Responder, { zone, serial }: Json) => {
    if (server.mute || server.serials.get(zone) === serial) return;
    const from = server.key ? { key: world.tsigKeys.get(server.key.name) } : { address: server.address };
    const lines = await transfer(world.service.dnsPort, zone, from);
    if (lines.length > 1) server.serials.set(zone, serialOf(lines));
  };
  for (const domain of domains.nodes) {
    const served = odd.get(domain.zone);
    if (served === undefined) await take(knot1, domain);
    else if (served !== null) knot1.serials.set(domain.zone, served);
    await take(bind1, domain);
    if (domain.user.email === "alice@example.com") await take(nsd1, domain);
  }
  for (const server of [knot1, bind1]) if (catalog) await take(server, catalog);
}

/** Whether every secondary was seen for every zone, and all zones are LIVE but for the oddities, which are LATE. */
async function isSettled(world: World, servers: Servers, odd: Oddities): Promise<boolean> {
  await follow(world, servers, odd);
  const { domains } = await world.query(
    "{ domains(first: 100) { nodes { zone publication { state secondaries { seenAt lastError } } } } }",
  );
  const isStrange = ({ lastError }: Json) => /not transferred to it/.test(lastError ?? "");
  return domains.nodes.every(
    ({ zone, publication: { state, secondaries } }: Json) =>
      secondaries.every(({ seenAt }: Json) => seenAt !== null) &&
      state === (odd.has(zone) ? "LATE" : "LIVE") &&
      secondaries.some(isStrange) === (/^(ahead|resynced)\./.test(zone) && odd.has(zone)),
  );
}

/** Zones that are deleted: one that no server serves any more, one that they still do, one that is created again. */
async function deletions(world: World, { knot1, bind1 }: Servers): Promise<void> {
  const remove = async (zone: string): Promise<string> => (await world.run("deleteDomain", { zone })).change.id;
  await remove("kept.example");
  const id = await remove("removed.example");
  for (const server of [knot1, bind1]) server.serials.delete("removed.example");
  const document = "query ($id: ID!) { change(id: $id) { publication { state } } }";
  await eventually(async () => (await world.query(document, { id })).change.publication.state === "LIVE");
  await remove("back.example");
  await world.domain("back.example", "bob@example.net");
}

/** A change that bind1 gives no answer about. */
async function silence(world: World, { bind1 }: Servers, settled: () => Promise<unknown>): Promise<void> {
  bind1.mute = true;
  await world.add("updates.example", ["silent 300 A 192.0.2.9"]);
  await settled();
  const document = `{ domain(by: { zone: "updates.example" }) {
    publication { secondaries { secondary { name } state lastError } } } }`;
  await eventually(async () => {
    const { secondaries } = (await world.query(document)).domain.publication;
    const bind = secondaries.find(({ secondary }: Json) => secondary.name === "bind1");
    return bind.state === "LATE" && bind.lastError !== null;
  });
}

/** A user who is deleted with many zones, all of which the catalog would lose at once. */
async function shrink(world: World): Promise<void> {
  await world.rest({ method: "DELETE", path: `/user/delete/${world.id("erin@example.com")}?domains=delete` });
  const held = async () => (await world.query("{ catalogHold { removalCount } }")).catalogHold?.removalCount === 12;
  await eventually(held);
}

/** Transfers that are noted at knot1: one whose signature is wrong, one of a whole zone. */
async function transfers(world: World): Promise<void> {
  const { dnsPort } = world.service;
  await transfer(dnsPort, "example.com", { key: clientKey("knot1.example.net", "AAAA") });
  await transfer(dnsPort, "types.example", { key: world.tsigKeys.get("knot1.example.net") });
  await eventually(async () => {
    const { secondary } = await world.query(`{ secondary(by: { name: "knot1" }) { transferZone tsigError } }`);
    return secondary.transferZone === "types.example" && secondary.tsigError !== null;
  });
}
