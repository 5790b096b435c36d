/**
 * What is wrong at the parent of a zone and at its name servers, compared with the zone as it is here. They are asked over TCP (RFC 7766);
 * a resolver says where they are.
 */
import { Class, Flag, Rcode } from "../dns/message/header.ts";
import { type Message, type ResourceRecord, readMessage } from "../dns/message/message-reader.ts";
import { MessageWriter } from "../dns/message/message-writer.ts";
import { isWithin, type Name, nameText, parseName, zoneNameText } from "../dns/name.ts";
import { printRdata, rdataFields } from "../dns/rdata/rdata.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { serial, serialIsGreater } from "../dns/serial.ts";
import { exchangeOverTcp } from "../publisher/packets/tcp-client.ts";
import type { Peer } from "../publisher/packets/udp-client.ts";
import { unlessMalformed } from "../session/parse-field.ts";
import { type CheckedZone, suffixes } from "./checked-zone.ts";
import { dsTag, keyTag } from "./checks.ts";
import type { Found } from "./finding-code.ts";

/** Asks one question, recursively of a resolver; undefined when there is no answer. */
export type Ask = (peer: Peer, name: Name, type: number, isRecursive?: boolean) => Promise<Message | undefined>;

export const askOverTcp: Ask = async (peer, name, type, isRecursive = false) => {
  const packet = (id: number) => {
    const writer = new MessageWriter({ id, flags: isRecursive ? Flag.RD : 0 });
    writer.question({ name, type, class: Class.IN });
    writer.edns(1232, 0, true);
    return writer.finish();
  };
  const accept = (octets: Uint8Array) => unlessMalformed(() => readMessage(octets));
  const outcome = await exchangeOverTcp(peer, undefined, { timeoutMs: 5000, packet, accept });
  return "response" in outcome ? outcome.response : undefined;
};

/** Where a zone is looked at from; `port` is that of name servers, 53. */
export interface Outside {
  readonly resolver: Peer;
  readonly ask: Ask;
  readonly now: Date;
  readonly port: number;
}

export const codeOf = (type: string) => recordType(type).code;
const ofType = (records: readonly ResourceRecord[], type: string, name?: Name) =>
  records.filter((each) => each.type === codeOf(type) && (!name || zoneNameText(each.name) === zoneNameText(name)));
const hostsOf = (records: readonly ResourceRecord[]) => records.map(({ rdata }) => zoneNameText(rdata)).toSorted();
export const at = (code: Found["code"], type: string, message: string): Found => ({ code, owner: "@", type, message });

class Asker {
  readonly #outside: Outside;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  async resolve(name: string, type: string): Promise<readonly ResourceRecord[]> {
    const { ask, resolver } = this.#outside;
    return ofType((await ask(resolver, parseName(`${name}.`), codeOf(type), true))?.answers ?? [], type);
  }

  async server(name: string): Promise<Server> {
    for (const type of ["A", "AAAA"]) {
      const [record] = await this.resolve(name, type);
      const address = record && printRdata(recordType(type), record.rdata);
      if (address) return { name, peer: { address, port: this.#outside.port }, place: `${name} (${address})` };
    }
    return { name, peer: undefined, place: name };
  }

  async ask({ peer }: Server, name: Name, type: string): Promise<Message | undefined> {
    return peer && this.#outside.ask(peer, name, codeOf(type));
  }
}

/** A name server, with an address where it has one. */
interface Server {
  readonly name: string;
  readonly peer: Peer | undefined;
  readonly place: string;
}

/** The findings of a zone outside; none about its parent where that does not answer. */
export async function findingsOutside(zone: CheckedZone, outside: Outside): Promise<Found[]> {
  const asker = new Asker(outside);
  const own = zone
    .rrset("@", "NS")
    .map(({ wire }) => zoneNameText(wire))
    .toSorted();
  const delegation = await delegationOf(zone, asker);
  const names = [...new Set([...own, ...(delegation?.names ?? [])])];
  const looks = await Promise.all(names.map(async (name) => lookAt(zone, await asker.server(name), own, asker)));
  return [
    ...(delegation ? parentFindings(zone, own, delegation) : []),
    ...looks.flatMap(({ found }) => found),
    ...(delegation ? keyFindings(delegation.tags, looks) : []),
    ...signatureFindings(looks, outside.now),
  ];
}

interface Delegation {
  readonly names: readonly string[];
  readonly glue: readonly ResourceRecord[];
  /** The key tags of the DS records. */
  readonly tags: readonly number[];
}

async function delegationOf({ zone, origin }: CheckedZone, asker: Asker): Promise<Delegation | undefined> {
  for (const above of suffixes(zone).slice(1)) {
    const servers = hostsOf(await asker.resolve(above, "NS"));
    for (const name of servers.slice(0, 3)) {
      const server = await asker.server(name);
      const answer = await asker.ask(server, origin, "NS");
      if (answer?.rcode !== Rcode.NOERROR && answer?.rcode !== Rcode.NXDOMAIN) continue;
      const ds = ofType((await asker.ask(server, origin, "DS"))?.answers ?? [], "DS", origin);
      const names = hostsOf(ofType([...answer.answers, ...answer.authority], "NS", origin));
      return { names, glue: answer.additional, tags: ds.map(({ rdata }) => dsTag(rdata)) };
    }
    if (servers.length > 0) return undefined;
  }
  return undefined;
}

function* parentFindings(zone: CheckedZone, own: readonly string[], { names, glue }: Delegation): Generator<Found> {
  if (names.length === 0)
    yield at(
      "PARENT_NS_DIFFER",
      "NS",
      "The parent zone has no NS records of the zone: nobody finds it; have it registered.",
    );
  else if (names.join() !== own.join()) {
    const message = `The parent zone delegates to ${names.join(", ")}, and the zone has ${own.join(", ")}; write the same in both.`;
    yield at("PARENT_NS_DIFFER", "NS", message);
  }
  for (const type of ["A", "AAAA"])
    for (const { name, rdata } of ofType(glue, type).filter((each) => isWithin(each.name, zone.origin))) {
      const here = (zone.world.at(name) ?? []).filter((record) => record.type === type);
      if (here.some(({ wire }) => Buffer.compare(wire, rdata) === 0)) continue;
      const ours = here.map((record) => record.rdata).join(", ") || "no address of it";
      const message = `The parent zone has ${nameText(name)} at ${printRdata(recordType(type), rdata)}, and the zone has ${ours}; write the same in both.`;
      yield at("PARENT_GLUE_DIFFERS", "NS", message);
    }
}

/** What a name server says; the key tags are those of its DNSKEY and CDS records, `expiries` are seconds since 1970. */
interface Look {
  readonly found: readonly Found[];
  readonly keys?: readonly number[];
  readonly wanted?: readonly number[];
  readonly expiries?: readonly number[];
}

async function lookAt(zone: CheckedZone, server: Server, own: readonly string[], asker: Asker): Promise<Look> {
  const { origin, about } = zone;
  const answers = async (type: string) => ofType((await asker.ask(server, origin, type))?.answers ?? [], type, origin);
  const answer = await asker.ask(server, origin, "SOA");
  const [soa] = ofType(answer?.answers ?? [], "SOA", origin);
  if (!answer || !soa || (answer.flags & Flag.AA) === 0) {
    const fault = answer ? "does not serve the zone" : server.peer ? "does not answer" : "has no address";
    return { found: [at("LAME_SERVER", "NS", `${server.place} ${fault}; correct that, or remove its NS record.`)] };
  }
  const findings: Found[] = [];
  const served = hostsOf(await answers("NS"));
  if (served.join() !== own.join()) {
    const message = `${server.place} has the name servers ${served.join(", ")}, and the zone has ${own.join(", ")}; let it transfer the zone.`;
    findings.push(at("SERVER_NS_DIFFER", "NS", message));
  }
  const signatures = ofType(answer.answers, "RRSIG", origin);
  const theirs = serial(Number(rdataFields(recordType("SOA"), soa.rdata).serial));
  // A server that signs the zone counts on by itself.
  if (signatures.length === 0 && serialIsGreater(theirs, serial(about.serial))) {
    const remedy = `overwrite it with "zonesmith resync ${zone.zone}", or look with "zonesmith compare ${zone.zone} --with ${server.peer?.address}" what to adopt`;
    findings.push(
      at("SERVER_AHEAD", "SOA", `${server.place} has the serial ${theirs} and takes no change before it; ${remedy}.`),
    );
  }
  return {
    found: findings,
    keys: (await answers("DNSKEY")).map(({ rdata }) => keyTag(rdata)),
    wanted: (await answers("CDS")).map(({ rdata }) => dsTag(rdata)),
    expiries: signatures.map(({ rdata }) => Buffer.from(rdata).readUInt32BE(8)),
  };
}

/** Compares the DS records of the parent with the keys of the servers, and with the DS that they ask for by CDS (RFC 7344). */
function* keyFindings(tags: readonly number[], looks: readonly Look[]): Generator<Found> {
  const keys = [...new Set(looks.flatMap((look) => look.keys ?? []))];
  const wanted = [...new Set(looks.flatMap((look) => look.wanted ?? []))];
  const theirs = tags.join(", ");
  if (looks.some((look) => look.keys) && tags.length > 0 && !tags.some((tag) => keys.includes(tag))) {
    const message = `The parent has the DS of key ${theirs}, and the servers have ${keys.join(", ") || "no key"}: resolvers refuse the zone; have the DS replaced.`;
    yield at("DS_WITHOUT_KEY", "DNSKEY", message);
  } else if (wanted.length > 0 && !wanted.some((tag) => tags.includes(tag))) {
    const message = `The servers ask by CDS for the DS of key ${wanted.join(", ")}, and the parent has ${theirs || "none"}; have it added there.`;
    yield at("CDS_DIFFERS", "CDS", message);
  }
}

/** A signature that expires within three days was not renewed in time. */
function* signatureFindings(looks: readonly Look[], now: Date): Generator<Found> {
  const first = Math.min(...looks.flatMap((look) => look.expiries ?? [])) * 1000;
  if (first < now.getTime() + 3 * 86_400_000) {
    const time = new Date(first).toISOString();
    yield at(
      "SIGNATURE_EXPIRES",
      "SOA",
      `The signature of the SOA expires at ${time}; have the signing server renew it.`,
    );
  }
}
