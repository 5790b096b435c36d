/** A zone in memory as checks look at it, and the other zones of the service that its records name. Nothing here uses the database. */
import type { TsigScope } from "../account/tsig-scope.ts";
import { type Name, ownerText, zoneNameText, zoneNameWire } from "../dns/name.ts";
import { ancestors, type CheckedView, type RuledRecord } from "../zone/edit/rules.ts";

/** What checks know besides the records. */
export interface Surroundings {
  readonly now: Date;
  readonly secondaries: readonly { readonly name: string; readonly address: string; readonly required: boolean }[];
  /** The keys that write ACME challenges. */
  readonly acmeKeys: readonly Pick<TsigScope, "name" | "userId" | "zones" | "owners">[];
}

/** The zones of the service that are in memory, whole or with the names that other zones need of them, by name. */
export class World {
  readonly surroundings: Surroundings;
  readonly #zones = new Map<string, CheckedZone>();

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
  }

  add(zone: CheckedZone): void {
    this.#zones.set(zone.zone, zone);
  }

  zone(name: string): CheckedZone | undefined {
    return this.#zones.get(name);
  }

  /**
   * The nearest zone above a name, and the name in it; undefined where it is not known what the name has. A zone without records is deleted;
   * its names are those of the zone above, if that is here.
   */
  place(name: Name): { readonly zone: CheckedZone; readonly owner: string } | undefined {
    let deleted: { readonly zone: CheckedZone; readonly owner: string } | undefined;
    for (const above of suffixes(zoneNameText(name))) {
      const zone = this.#zones.get(above);
      if (!zone) continue;
      const place = { zone, owner: ownerText(name, zone.origin) };
      if (zone.byOwner.size > 0) return zone.isElsewhere(place.owner) ? deleted : place;
      deleted ??= place;
    }
    return deleted;
  }

  /** The records of a name; undefined where it is not known what the name has. */
  at(name: Name): readonly RuledRecord[] | undefined {
    const place = this.place(name);
    return place?.zone.at(place.owner);
  }
}

/** A name and the names above it, nearest first, without the root. */
export function suffixes(name: string): string[] {
  return [name, ...ancestors(name).slice(0, -1)];
}

export interface AboutZone {
  readonly zone: string;
  readonly userId: number | null;
  readonly serial: number;
  /** The codes that its labels switch off. */
  readonly ignored: ReadonlySet<string>;
}

export class CheckedZone implements CheckedView {
  readonly zone: string;
  readonly about: AboutZone;
  readonly origin: Name;
  readonly world: World;
  /** The records to check. */
  readonly records: readonly RuledRecord[];
  /** Whether all records are in memory. */
  readonly isWhole: boolean;
  readonly byOwner: ReadonlyMap<string, readonly RuledRecord[]>;
  #names: ReadonlySet<string> | undefined;

  /** `others` are the records of a part of a zone that are not checked; without it, the zone is whole. */
  constructor(about: AboutZone, records: readonly RuledRecord[], world: World, others?: readonly RuledRecord[]) {
    this.zone = about.zone;
    this.about = about;
    this.origin = zoneNameWire(about.zone);
    this.world = world;
    this.records = records;
    this.isWhole = others === undefined;
    this.byOwner = Map.groupBy(others ? [...records, ...others] : records, ({ owner }) => owner);
    world.add(this);
  }

  /** The records that a query for the owner is answered from: its own, or those of a wildcard (RFC 4592 §3.3.1). */
  at(owner: string): readonly RuledRecord[] {
    const own = this.byOwner.get(owner);
    if (own || this.has(owner)) return own ?? [];
    const encloser = ancestors(owner).find((above) => this.has(above)) ?? "@";
    return this.byOwner.get(below("*", encloser)) ?? [];
  }

  /** The records of an owner and a type, without those of a wildcard. */
  rrset(owner: string, type: string): readonly RuledRecord[] {
    return (this.byOwner.get(owner) ?? []).filter((record) => record.type === type);
  }

  /** Whether the name has records, or names below it (RFC 8020). */
  has(owner: string): boolean {
    this.#names ??= new Set([...this.byOwner.keys()].flatMap((each) => [each, ...ancestors(each)]));
    return this.#names.has(owner);
  }

  /** Whether something else answers for the owner: a zone below a delegation, or what a DNAME leads to. */
  isElsewhere(owner: string): boolean {
    const above = ancestors(owner);
    const isCut = (each: string) => each !== "@" && this.rrset(each, "NS").length > 0;
    return isCut(owner) || above.some((each) => isCut(each) || this.rrset(each, "DNAME").length > 0);
  }

  lookUp(name: Name) {
    const place = this.world.place(name);
    return place && { records: place.zone.at(place.owner), isHere: place.zone === this };
  }
}

/** The owner of a label below another owner. */
export const below = (label: string, owner: string) => (owner === "@" ? label : `${label}.${owner}`);
