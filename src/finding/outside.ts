/**
 * What is wrong at the parent of a zone and at its name servers, compared with the zone as it is here. They are asked over TCP (RFC 7766);
 * a resolver says where they are.
 */
import { Class, Flag, Rcode } from "../dns/message/header.ts";
import { type Message, type ResourceRecord, readMessage } from "../dns/message/message-reader.ts";
import { MessageWriter } from "../dns/message/message-writer.ts";
import { isWithin, type Name, ownerText, parseName, zoneNameText } from "../dns/name.ts";
import { printRdata, rdataFields } from "../dns/rdata/rdata.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { type Serial, serial, serialIsGreater } from "../dns/serial.ts";
import { exchangeOverTcp } from "../publisher/packets/tcp-client.ts";
import type { Peer } from "../publisher/packets/udp-client.ts";
import { unlessMalformed } from "../session/parse-field.ts";
import { type CheckedZone, suffixes } from "./checked-zone.ts";
import { dsTag, keyTag, privateZone } from "./checks.ts";
import type { Found } from "./finding-code.ts";

/** Asks one question, recursively of a resolver; undefined when there is no answer. */
export type Ask = (peer: Peer, name: Name, type: number, isRecursive?: boolean) => Promise<Message | undefined>;

export const askOverTcp: Ask = async (peer, name, type, isRecursive = false) => {
  let sentId = 0;
  const packet = (id: number) => {
    sentId = id;
    const writer = new MessageWriter({ id, flags: isRecursive ? Flag.RD : 0 });
    writer.question({ name, type, class: Class.IN });
    writer.edns(1232, 0, true);
    return writer.finish();
  };
  const accept = (octets: Uint8Array) => {
    const message = unlessMalformed(() => readMessage(octets));
    return message?.id === sentId && (message.flags & Flag.QR) !== 0 ? message : undefined;
  };
  const outcome = await exchangeOverTcp(peer, undefined, { timeoutMs: 5000, packet, accept });
  return "response" in outcome ? outcome.response : undefined;
};

/** Where a zone is looked at from; `port` is that of name servers, 53. */
export interface Outside {
  /** When a zone got its present serial. */
  changedAt(zone: CheckedZone): Date | undefined;
  readonly resolver: Peer;
  readonly ask: Ask;
  mayAsk(address: string): boolean;
  readonly now: Date;
  readonly port: number;
}

export const codeOf = (type: string) => recordType(type).code;
const ofType = (records: readonly ResourceRecord[], type: string, name?: Name) =>
  records.filter((each) => each.type === codeOf(type) && (!name || zoneNameText(each.name) === zoneNameText(name)));
const hostsOf = (records: readonly ResourceRecord[]) => records.map(({ rdata }) => zoneNameText(rdata)).toSorted();
const atApex = (code: Found["code"], type: string, message: string): Found => ({ code, owner: "@", type, message });
export const hasAnswered = (answer: Message | undefined): answer is Message =>
  answer?.rcode === Rcode.NOERROR || answer?.rcode === Rcode.NXDOMAIN;

/** A zone may have any number of NS records, and a parent may send any number. */
const mostServers = 20;

/** Anybody may run a name server, and send anything. */
export const unreadable = () => [
  atApex("LAME_SERVER", "NS", "A name server sends records that nobody can read; replace it."),
];

/** The findings of a zone outside. What is not answered is not compared. */
export async function findingsOutside(zone: CheckedZone, outside: Outside): Promise<Found[]> {
  const own = zone.rrset("@", "NS").map(({ wire }) => zoneNameText(wire));
  const parent = privateZone.test(zone.zone) ? undefined : await askParent(zone, outside);
  const names = [...new Set([...own, ...(parent?.names ?? [])])].slice(0, mostServers);
  const sorted = own.toSorted();
  const servers = await Promise.all(names.map((name) => askServer(zone, name, outside)));
  return [
    ...(parent ? parentFindings(zone, sorted, parent) : []),
    ...servers.flatMap((server) => [...serverFindings(zone, sorted, server, outside)]),
    ...keyFindings(parent?.tags, servers),
    ...signatureFindings(servers, outside.now),
  ];
}

/** Undefined when the resolver does not say. */
async function resolve({ ask, resolver }: Outside, name: string, type: string) {
  const answer = await ask(resolver, parseName(`${name}.`), codeOf(type), true);
  return hasAnswered(answer) ? ofType(answer.answers, type) : undefined;
}

/** The first address of a server; null when it has none, undefined when that is not known. */
async function addressOf(outside: Outside, name: string): Promise<string | null | undefined> {
  const [a, aaaa] = await Promise.all([resolve(outside, name, "A"), resolve(outside, name, "AAAA")]);
  const [v4, v6] = [a?.[0], aaaa?.[0]];
  if (v4) return printRdata(recordType("A"), v4.rdata);
  if (v6) return printRdata(recordType("AAAA"), v6.rdata);
  return a && aaaa ? null : undefined;
}

/** What the parent zone says; `tags` are the key tags of its DS records, undefined when it does not say. */
interface Parent {
  readonly names: readonly string[];
  readonly glue: readonly ResourceRecord[];
  readonly tags: readonly number[] | undefined;
}

async function askParent({ zone, origin }: CheckedZone, outside: Outside): Promise<Parent | undefined> {
  for (const above of suffixes(zone).slice(1)) {
    const servers = await resolve(outside, above, "NS");
    if (!servers) return undefined;
    for (const name of hostsOf(servers).slice(0, 3)) {
      const address = await addressOf(outside, name);
      if (!address || !outside.mayAsk(address)) continue;
      const ask = (type: string) => outside.ask({ address, port: outside.port }, origin, codeOf(type));
      const [answer, ds] = await Promise.all([ask("NS"), ask("DS")]);
      if (!hasAnswered(answer)) continue;
      const names = hostsOf(ofType([...answer.answers, ...answer.authority], "NS", origin));
      const isSure = (answer.flags & Flag.AA) !== 0 || answer.rcode === Rcode.NXDOMAIN;
      if (names.length === 0 && !isSure) continue;
      const tags = hasAnswered(ds) ? ofType(ds.answers, "DS", origin).map(({ rdata }) => dsTag(rdata)) : undefined;
      return { names, glue: answer.additional, tags };
    }
    if (servers.length > 0) return undefined;
  }
  return undefined;
}

function* parentFindings(zone: CheckedZone, own: readonly string[], { names, glue }: Parent): Generator<Found> {
  if (names.length === 0) {
    const message = "The parent zone has no NS records of the zone: nobody finds it; have it registered.";
    yield atApex("PARENT_NS_DIFFER", "NS", message);
  } else yield* nameServersDiffer("PARENT_NS_DIFFER", "The parent zone", names, own);
  const hosts = own.filter((host) => isWithin(parseName(`${host}.`), zone.origin));
  for (const host of hosts)
    for (const type of ["A", "AAAA"]) {
      const theirs = ofType(glue, type, parseName(`${host}.`)).map(({ rdata }) => printRdata(recordType(type), rdata));
      const name = parseName(`${host}.`);
      const stored = zone.world.at(name) ?? zone.byOwner.get(ownerText(name, zone.origin));
      if (!stored) continue;
      const ours = stored.flatMap((record) => (record.type === type ? record.rdata : []));
      const wrong = theirs.filter((address) => !ours.includes(address));
      if (wrong.length === 0) continue;
      const message = `The parent zone has ${host} at ${wrong.join(", ")}, and the zone has ${ours.join(", ") || "no such address"}; write the same in both.`;
      yield atApex("PARENT_GLUE_DIFFERS", "NS", message);
    }
}

function* nameServersDiffer(
  code: "PARENT_NS_DIFFER" | "SERVER_NS_DIFFER",
  who: string,
  theirs: readonly string[],
  own: readonly string[],
): Generator<Found> {
  if (theirs.join() === own.join()) return;
  const shown = (names: readonly string[]) => names.slice(0, mostServers).join(", ");
  const message = `${who} has the name servers ${shown(theirs)}, and the zone has ${shown(own)}; write the same in both.`;
  yield atApex(code, "NS", message);
}

/** What a name server says; undefined is what it does not say. Key tags are those of DNSKEY and CDS, signatures begin and end in seconds since 1970. */
interface Server {
  readonly name: string;
  readonly place: string;
  readonly fault?: string;
  readonly address?: string;
  readonly serial?: Serial;
  readonly names?: readonly string[] | undefined;
  readonly keys?: readonly number[] | undefined;
  readonly wanted?: readonly number[] | undefined;
  readonly signatures?: readonly { readonly begin: number; readonly end: number }[];
}

async function askServer({ origin }: CheckedZone, name: string, outside: Outside): Promise<Server> {
  const address = await addressOf(outside, name);
  if (address === null) return { name, place: name, fault: "has no address" };
  if (address === undefined || !outside.mayAsk(address)) return { name, place: name };
  const place = `${name} (${address})`;
  const ask = (type: string) => outside.ask({ address, port: outside.port }, origin, codeOf(type));
  const answer = (await ask("SOA")) ?? (await ask("SOA"));
  const [soa] = ofType(answer?.answers ?? [], "SOA", origin);
  if (!answer) return { name, place, fault: "does not answer over TCP" };
  if (!soa || (answer.flags & Flag.AA) === 0) return { name, place, fault: "does not serve the zone" };
  const [ns, dnskey, cds] = await Promise.all(["NS", "DNSKEY", "CDS"].map(ask));
  const rdataOf = (each: Message | undefined, type: string) =>
    hasAnswered(each) ? ofType(each.answers, type, origin).map(({ rdata }) => rdata) : undefined;
  return {
    name,
    place,
    address,
    serial: serial(Number(rdataFields(recordType("SOA"), soa.rdata).serial)),
    names: rdataOf(ns, "NS")?.map(zoneNameText).toSorted(),
    keys: rdataOf(dnskey, "DNSKEY")?.map(keyTag),
    // Algorithm 0 asks for the removal of all DS (RFC 8078 §4).
    wanted: rdataOf(cds, "CDS")?.flatMap((rdata) => (rdata[2] === 0 ? [] : dsTag(rdata))),
    signatures: ofType(answer.answers, "RRSIG", origin).map(({ rdata }) => {
      return { end: Buffer.from(rdata).readUInt32BE(8), begin: Buffer.from(rdata).readUInt32BE(12) };
    }),
  };
}

function* serverFindings(
  zone: CheckedZone,
  own: readonly string[],
  server: Server,
  outside: Outside,
): Generator<Found> {
  const { name, place, fault, names, serial: theirs, signatures = [] } = server;
  const where = own.includes(name) ? "" : " in the parent zone";
  if (fault) yield atApex("LAME_SERVER", "NS", `${place} ${fault}; correct that, or remove its NS record${where}.`);
  if (names) yield* nameServersDiffer("SERVER_NS_DIFFER", place, names, own);
  const ours = serial(zone.about.serial);
  // A server that signs the zone counts on by itself.
  if (theirs === undefined || signatures.length > 0) return;
  if (serialIsGreater(theirs, ours)) {
    const message = `${place} has the serial ${theirs} and takes no change from here until ours passes it; raise the serial of the SOA past it, and adopt what it has with "zonesmith compare ${zone.zone} --with ${server.address} --adopt" before.`;
    yield atApex("SERVER_AHEAD", "SOA", message);
  }
  const since = outside.changedAt(zone);
  const [soa] = zone.rrset("@", "SOA");
  const refresh = soa ? Number(rdataFields(recordType("SOA"), soa.wire).refresh) : 0;
  if (since && serialIsGreater(ours, theirs) && since.getTime() + refresh * 1000 < outside.now.getTime()) {
    const message = `${place} has the serial ${theirs}, and the zone ${ours} since ${since.toISOString()}; let it transfer the zone.`;
    yield atApex("SERVER_BEHIND", "SOA", message);
  }
}

/** Compares the DS records of the parent with the keys of the servers, and with the DS that they ask for by CDS (RFC 7344). */
function* keyFindings(tags: readonly number[] | undefined, servers: readonly Server[]): Generator<Found> {
  const answered = servers.filter(({ keys }) => keys);
  if (!tags || answered.length === 0) return;
  const keys = [...new Set(answered.flatMap((server) => server.keys ?? []))];
  const wanted = [...new Set(answered.flatMap((server) => server.wanted ?? []))];
  if (tags.length > 0 && !tags.some((tag) => keys.includes(tag))) {
    const message = `The parent has the DS of key ${tags.join(", ")}, and the servers have ${keys.join(", ") || "no key"}: resolvers refuse the zone; have the DS replaced.`;
    yield atApex("DS_WITHOUT_KEY", "DNSKEY", message);
  } else if (wanted.length > 0 && !wanted.some((tag) => tags.includes(tag))) {
    const message = `The servers ask by CDS for the DS of key ${wanted.join(", ")}, and the parent has ${tags.join(", ") || "none"}; have it added there.`;
    yield atApex("CDS_DIFFERS", "CDS", message);
  }
}

/** A signature that is within three days of its end, or the last quarter of its time, was not renewed. */
function* signatureFindings(servers: readonly Server[], now: Date): Generator<Found> {
  const ends = servers.flatMap(({ signatures = [] }) => signatures).toSorted((a, b) => a.end - b.end);
  const first = ends.find(({ begin, end }) => end - now.getTime() / 1000 < Math.min(3 * 86_400, (end - begin) / 4));
  if (!first) return;
  const time = new Date(first.end * 1000).toISOString();
  yield atApex(
    "SIGNATURE_EXPIRES",
    "SOA",
    `The signature of the SOA expires at ${time}; have the signing server renew it.`,
  );
}
