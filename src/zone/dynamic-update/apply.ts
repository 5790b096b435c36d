/**
 * Applies dynamic updates (RFC 2136 §3.2 to §3.4, §3.7). The prerequisites are checked and the instructions followed in their order on
 * the records of the locked zone; the result is one change (edit/change-zone.ts).
 * Where §3.4.2 prescribes silence an instruction is skipped: an equal record (its TTL is taken), a CNAME beside data and data beside a
 * CNAME, an SOA whose serial is not greater, the SOA and the last NS at the apex. DNAME is single as CNAME is (RFC 6672 §2.4).
 * Limitations: permission (§3.3) is checked before the prerequisites, so that a key learns nothing about names that it may not write;
 * a change that would break the zone's rules is REFUSED, a check that §3.4.2 does not have.
 */

import { actorOfTsig, matches, reachesZone, type TsigScope } from "../../account/tsig-scope.ts";
import type { Message } from "../../dns/message/message-reader.ts";
import { serialIsGreater } from "../../dns/serial.ts";
import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { CanonicalRecord } from "../edit/canonical-record.ts";
import { changeZone, type ZoneChange } from "../edit/change-zone.ts";
import { ownersAround, type Plan, type Planner } from "../edit/edit-plan.ts";
import { expectAll } from "../edit/precondition.ts";
import { serialOf } from "../edit/soa-serial.ts";
import type { StoredZone } from "../edit/stored-zone.ts";
import type { WorkingRecord } from "../edit/working-copy.ts";
import { type Instruction, readUpdate, type ZoneUpdate } from "./parse.ts";

/** Applies a dynamic update on behalf of the key that signed it, all or nothing; throws refusals. */
export async function applyUpdate(session: Session, key: TsigScope, message: Message): Promise<ZoneChange> {
  const update = readUpdate(message, session.policy);
  return changeZone({ ...session, actor: actorOfTsig(key) }, update.zone, planUpdate(key, update));
}

function planUpdate(key: TsigScope, update: ZoneUpdate): Planner {
  const owners = [...new Set([...update.prerequisites, ...update.instructions].map(({ owner }) => owner))];
  const written = update.instructions.flatMap((each) => (each.kind === "add" ? each.candidate : []));
  const plan = async (zone: StoredZone) => {
    expectScope(key, update);
    const overlay = new UpdateOverlay(await zone.at(owners));
    expectAll(update.prerequisites, (owner) => overlay.at(owner));
    for (const instruction of update.instructions) overlay.follow(instruction);
    return overlay.plan();
  };
  return { prefetch: { owners: ownersAround(update.zone, owners, written), ids: [] }, plan };
}

/** Refuses an update of a zone, an owner or a type that the key is not for. */
function expectScope(key: TsigScope, update: ZoneUpdate): void {
  if (!reachesZone(key, update.zone)) {
    const reach = key.zones
      ? `only ${key.zones.join(", ")}`
      : "no zone, because it belongs to no user and lists no zones";
    throw new Refusal("FORBIDDEN", `The key ${key.name} may not update ${update.zone}; it reaches ${reach}.`);
  }
  for (const { owner, type, path } of update.instructions) {
    if (key.owners && !key.owners.some((pattern) => matches(pattern, owner))) {
      const message = `${path}: the key ${key.name} may not write at ${owner}, only at ${key.owners.join(", ")}.`;
      throw new Refusal("FORBIDDEN", message);
    }
    if (key.types && !(type !== undefined && key.types.includes(type))) {
      const what = type === undefined ? "all types at once" : type;
      const message = `${path}: the key ${key.name} may not write ${what}, only ${key.types.join(", ")}.`;
      throw new Refusal("FORBIDDEN", message);
    }
  }
}

/** A record while instructions are followed; `written` is what the update makes of it. */
interface OverlayRecord extends WorkingRecord {
  readonly written?: { readonly record: CanonicalRecord; readonly path: string };
}

/** Types that a name can have one record of: a second replaces the first. */
const single = new Set(["CNAME", "DNAME", "SOA"]);

const identity = ({ type, digest }: { type: string; digest: string }) => `${type} ${digest}`;

/** The records of some owners while instructions are followed, one after the other. */
class UpdateOverlay {
  readonly #stored: readonly WorkingRecord[];
  readonly #owners = new Map<string, Map<string, OverlayRecord>>();
  readonly #ids: ReadonlyMap<string, number | undefined>;

  constructor(stored: readonly WorkingRecord[]) {
    this.#stored = stored;
    this.#ids = new Map(stored.map((record) => [`${record.owner} ${identity(record)}`, record.id]));
    for (const record of stored) this.#records(record.owner).set(identity(record), record);
  }

  at(owner: string): readonly OverlayRecord[] {
    return [...this.#records(owner).values()];
  }

  follow(instruction: Instruction): void {
    const { kind, owner, type } = instruction;
    const isApex = owner === "@";
    if (kind === "add") this.#add(instruction.candidate, `${instruction.path} `);
    else if (kind === "delete-record") this.#deleteRecord(owner, instruction);
    // §3.4.2.3: at the apex SOA and NS stay.
    else if (kind === "delete-name") this.#delete(owner, (each) => !(isApex && isApexType(each)));
    else if (!(isApex && isApexType(type))) this.#delete(owner, (each) => each === type);
  }

  /** Adds a record, or skips it silently where RFC 2136 §3.4.2.2 says so. */
  #add(candidate: CanonicalRecord, path: string): void {
    const { owner, type } = candidate;
    const others = this.at(owner);
    const blocks = (each: string) => (type === "CNAME" ? each !== "CNAME" : each === "CNAME");
    if (others.some((other) => blocks(other.type))) return;
    const [present] = others.filter((other) => other.type === type);
    if (type === "SOA" && !(present && serialIsGreater(serialOf(candidate), serialOf(present)))) return;
    const records = this.#records(owner);
    const equal = records.get(identity(candidate));
    if (equal) {
      const { rdata, wire } = equal;
      this.#put({ ...equal, written: { record: { ...candidate, rdata, wire }, path } });
      return;
    }
    const replaced = single.has(type) ? present : undefined;
    if (replaced) records.delete(identity(replaced));
    const id = replaced ? replaced.id : this.#ids.get(`${owner} ${identity(candidate)}`);
    this.#put({ ...candidate, ttl: candidate.ttl as number, id, written: { record: candidate, path } });
  }

  /** §3.4.2.4: the SOA and the last NS at the apex stay. */
  #deleteRecord(owner: string, record: { type: string; digest: string }): void {
    if (record.type === "SOA") return;
    const isLastNs =
      owner === "@" && record.type === "NS" && this.at("@").filter(({ type }) => type === "NS").length < 2;
    if (!isLastNs) this.#records(owner).delete(identity(record));
  }

  #delete(owner: string, isDeleted: (type: string) => boolean): void {
    const records = this.#records(owner);
    for (const [key, { type }] of records) if (isDeleted(type)) records.delete(key);
  }

  /** The plan that makes the zone what the instructions made of it. */
  plan(): Plan {
    const records = [...this.#owners.keys()].flatMap((owner) => this.at(owner));
    const keptIds = new Set(records.map(({ id }) => id));
    const removedIds = this.#stored.flatMap(({ id }) => (id === undefined || keptIds.has(id) ? [] : id));
    return {
      remove: removedIds.map((id) => ({ id, field: "update" })),
      writes: records.flatMap(({ id, written }) => (written ? { id, ...written } : [])),
      owners: [...this.#owners.keys()],
    };
  }

  #records(owner: string): Map<string, OverlayRecord> {
    const records = this.#owners.get(owner) ?? new Map<string, OverlayRecord>();
    this.#owners.set(owner, records);
    return records;
  }

  #put(record: OverlayRecord): void {
    this.#records(record.owner).set(identity(record), record);
  }
}

const isApexType = (type: string | undefined) => type === "SOA" || type === "NS";
