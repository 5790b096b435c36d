/**
 * The answer to a query from the committed zone (RFC 1034 §4.3.2, RFC 2308, RFC 4592, RFC 6672, RFC 8482), of one serial. Limitations:
 * aliases are not followed into another of our zones; DNSSEC records are answered only where they are stored; addresses from wildcards are
 * not added.
 */

import { Class, MetaType, Rcode } from "../dns/message/header.ts";
import type { Question, ResourceRecord } from "../dns/message/message-reader.ts";
import { isWithin, maxNameLength, type Name, ownerText, zoneNameText, zoneNameWire } from "../dns/name.ts";
import { soaMinimum } from "../dns/rdata/soa.ts";
import { TypeCode, typeCode, typeMnemonic } from "../dns/type-codes.ts";
import type { NameNeighbourhood, ServedRecord, ServedZone, ZoneSource } from "./zone/zone-reader.ts";

/** `glue`: the additional records are needed to follow a referral (RFC 9471). */
export interface Answer {
  readonly rcode: number;
  readonly authoritative: boolean;
  readonly answers: readonly ResourceRecord[];
  readonly authority: readonly ResourceRecord[];
  readonly additional: readonly ResourceRecord[];
  readonly glue: boolean;
}

export class ZoneChanged extends Error {}

/** Aliases in one answer, as in Knot; the resolver continues from the last one. */
const maxAliases = 5;

/** Names whose addresses are added to one answer. */
const maxTargets = 20;

/** The question is of class IN. Undefined when no zone of ours that `mayServe` contains the name. Throws ZoneChanged. */
export async function answerQuestion(
  zones: ZoneSource,
  question: Question,
  mayServe: (zone: ServedZone) => Promise<boolean>,
): Promise<Answer | undefined> {
  const neighbourhood = await find(zones, question);
  if (!neighbourhood || !(await mayServe(neighbourhood.zone))) return undefined;
  const composer = new Composer(zones, question.type, neighbourhood.zone);
  await composer.follow(question.name, neighbourhood);
  return composer.answer();
}

/** A name and its parents without the root, as names of zones. */
export function parentsOf(name: Name): string[] {
  const names: string[] = [];
  for (let text = zoneNameText(name); text !== ""; ) {
    names.push(text);
    const dot = text.indexOf(".");
    text = dot < 0 ? "" : text.slice(dot + 1);
  }
  return names;
}

/** The types to read: that of the question, and those that change its answer; null for all. */
function typesFor(type: number): readonly string[] | null {
  return type === MetaType.ANY ? null : ["CNAME", "NS", "DNAME", "SOA", typeMnemonic(type)];
}

async function find(source: ZoneSource, { name, type }: Question): Promise<NameNeighbourhood | undefined> {
  const names = parentsOf(name);
  // The DS of a zone belongs to its parent, when that is ours (RFC 4035 §3.1.4.1).
  const above = type === TypeCode.DS ? await source.neighbourhood(names, names.slice(1), typesFor(type)) : undefined;
  return above ?? (await source.neighbourhood(names, names, typesFor(type)));
}

/** Types that are answered at an alias itself: CNAME, and RRSIG and NSEC, which a signer stores beside it (RFC 4034 §2.5). */
const besideAlias: ReadonlySet<number> = new Set<number>([TypeCode.CNAME, TypeCode.RRSIG, TypeCode.NSEC]);

class Composer {
  readonly #source: ZoneSource;
  readonly #type: number;
  readonly #zone: ServedZone;
  readonly #apex: Name;
  readonly #answers: ResourceRecord[] = [];
  readonly #authority: ResourceRecord[] = [];
  #rcode: number = Rcode.NOERROR;
  #referral: Name | undefined;
  #aliases = 0;
  readonly #shown = new Set<string>();

  constructor(source: ZoneSource, type: number, zone: ServedZone) {
    this.#source = source;
    this.#type = type;
    this.#zone = zone;
    this.#apex = zoneNameWire(zone.zone);
  }

  /** Collects the answers at `start` and at the targets of its aliases inside the zone. */
  async follow(start: Name, neighbourhood: NameNeighbourhood): Promise<void> {
    const visited = new Set<string>();
    let name = start;
    let current = neighbourhood;
    for (;;) {
      const next = this.#step(name, current);
      if (!next || !isWithin(next, this.#apex)) return;
      visited.add(ownerText(name, this.#apex));
      if (visited.has(ownerText(next, this.#apex))) return;
      current = await this.#read(next);
      name = next;
    }
  }

  async #read(name: Name): Promise<NameNeighbourhood> {
    const neighbourhood = await this.#source.neighbourhood(parentsOf(name), [this.#zone.zone], typesFor(this.#type));
    this.#expectSame(neighbourhood?.zone);
    return neighbourhood as NameNeighbourhood;
  }

  #expectSame(zone: ServedZone | undefined): void {
    if (zone?.id !== this.#zone.id || zone.serial !== this.#zone.serial) throw new ZoneChanged();
  }

  /** RFC 1034 §4.3.2 step 3: down from the apex to the name; returns the target of an alias. */
  #step(name: Name, { owners }: NameNeighbourhood): Name | undefined {
    const path = pathOf(ownerText(name, this.#apex));
    for (const [depth, owner] of path.entries()) {
      const records = owners.get(owner) ?? [];
      const isLast = depth === path.length - 1;
      if (owner !== "@" && !(isLast && this.#type === TypeCode.DS) && ofType(records, "NS").length > 0)
        return this.#refer(tail(name, path.length - 1 - depth), records);
      const [dname] = isLast ? [] : ofType(records, "DNAME");
      if (dname) return this.#redirect(name, path.length - 1 - depth, dname);
    }
    const soa = ofType(owners.get("@"), "SOA")[0] as ServedRecord;
    const last = path.at(-1) as string;
    const exact = owners.get(last);
    if (exact) return this.#match(name, exact, soa);
    const encloser = path.findLast((owner) => owner === "@" || owners.has(owner)) as string;
    const wildcard = owners.get(encloser === "@" ? "*" : `*.${encloser}`);
    if (wildcard) return this.#match(name, wildcard, soa);
    this.#rcode = Rcode.NXDOMAIN;
    this.#deny(name, soa);
    return undefined;
  }

  /** The records at a name that exists, or its alias, or a denial. */
  #match(name: Name, records: readonly ServedRecord[], soa: ServedRecord): Name | undefined {
    const [alias] = besideAlias.has(this.#type) ? [] : ofType(records, "CNAME");
    if (alias) {
      if (this.#chainEnds()) return undefined;
      this.#answers.push(resource(name, alias));
      return this.#type === MetaType.ANY ? undefined : alias.wire;
    }
    const wanted = this.#type === MetaType.ANY ? smallestSet(records) : ofType(records, typeMnemonic(this.#type));
    for (const record of wanted) this.#answers.push(resource(name, record));
    if (wanted.length === 0) this.#deny(name, soa);
    return undefined;
  }

  #chainEnds(): boolean {
    this.#aliases += 1;
    return this.#aliases > maxAliases;
  }

  #refer(cut: Name, records: readonly ServedRecord[]): undefined {
    this.#referral = cut;
    for (const record of ofType(records, "NS")) this.#authority.push(resource(cut, record));
  }

  /** RFC 6672 §3.1: the DNAME, and the CNAME that it implies. */
  #redirect(name: Name, labels: number, dname: ServedRecord): Name | undefined {
    if (this.#chainEnds()) return undefined;
    const owner = tail(name, labels);
    if (!this.#shown.has(dname.owner)) this.#answers.push(resource(owner, dname));
    this.#shown.add(dname.owner);
    const kept = name.length - owner.length;
    if (kept + dname.wire.length > maxNameLength) {
      this.#rcode = Rcode.YXDOMAIN;
      return undefined;
    }
    const target = new Uint8Array(kept + dname.wire.length);
    target.set(name.subarray(0, kept));
    target.set(dname.wire, kept);
    this.#answers.push(resource(name, { ...dname, type: "CNAME", wire: target }));
    return this.#type === TypeCode.CNAME ? undefined : target;
  }

  /** RFC 2308 §3: the SOA, with its minimum as the limit of its TTL. */
  #deny(name: Name, soa: ServedRecord): void {
    const apex = name.subarray(name.length - this.#apex.length);
    this.#authority.push({ ...resource(apex, soa), ttl: Math.min(soa.ttl, soaMinimum(soa.wire)) });
  }

  async answer(): Promise<Answer> {
    return {
      rcode: this.#rcode,
      authoritative: this.#referral === undefined || this.#answers.length > 0,
      answers: this.#answers,
      authority: this.#authority,
      additional: await this.#addresses(),
      glue: this.#referral !== undefined,
    };
  }

  async #addresses(): Promise<ResourceRecord[]> {
    const targets = new Map<string, Name>();
    for (const { type, rdata } of [...this.#answers, ...this.#authority]) {
      const before = hostAt.get(type);
      const target = before === undefined ? undefined : rdata.subarray(before);
      if (target && isWithin(target, this.#apex) && targets.size < maxTargets)
        targets.set(ownerText(target, this.#apex), target);
    }
    if (targets.size === 0) return [];
    const addresses = await this.#source.addresses(this.#zone.id, [...targets.keys()]);
    this.#expectSame(addresses?.zone);
    return (addresses?.records ?? []).map((record) => resource(targets.get(record.owner) as Name, record));
  }
}

const hostAt: ReadonlyMap<number, number> = new Map<number, number>([
  [TypeCode.NS, 0],
  [TypeCode.MX, 2],
  [TypeCode.SRV, 6],
]);

/** The owners from the apex down to a relative owner: `a.b` makes `@`, `b`, `a.b`. */
function pathOf(owner: string): string[] {
  const path = ["@"];
  if (owner === "@") return path;
  for (let dot = owner.lastIndexOf("."); dot >= 0; dot = owner.lastIndexOf(".", dot - 1))
    path.push(owner.slice(dot + 1));
  path.push(owner);
  return path;
}

function tail(name: Name, labels: number): Name {
  let at = 0;
  for (let left = labels; left > 0; left -= 1) at += (name[at] ?? 0) + 1;
  return name.subarray(at);
}

const ofType = (records: readonly ServedRecord[] | undefined, type: string): readonly ServedRecord[] =>
  (records ?? []).filter((record) => record.type === type);

/** RFC 8482 §4.1: the RRset that makes the smallest answer. */
function smallestSet(records: readonly ServedRecord[]): readonly ServedRecord[] {
  const size = (set: readonly ServedRecord[]) => set.reduce((sum, { wire }) => sum + wire.length + 12, 0);
  return [...Map.groupBy(records, ({ type }) => type).values()].toSorted((a, b) => size(a) - size(b))[0] ?? [];
}

export function resource(name: Name, { type, ttl, wire }: ServedRecord): ResourceRecord {
  return { name, type: typeCode(type) as number, class: Class.IN, ttl, rdata: wire };
}
