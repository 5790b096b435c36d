/**
 * Law 9: the past stays as it was. The versions of a record follow each other, and what a zone was seen to be after a change is what its
 * versions say of that moment ever after.
 */
import type { Breach } from "./laws.ts";
import type { StoredRecord, StoredZone } from "./zones.ts";

const lineOf = ({ id, owner, ttl, type, wire }: StoredRecord) => `${id} ${owner} ${ttl} ${type} ${wire}`;

const keptMoments = 4;

export class Moments {
  /** By the id of a domain, the records that it had after some of its changes, by the id of the change. */
  readonly #seen = new Map<string, Map<number, string>>();

  /** Compares the versions of zones with what was seen of them before, and remembers what they are now. */
  check(zones: readonly StoredZone[]): Breach[] {
    const found = zones.flatMap((zone) => [...overlaps(zone), ...this.#differences(zone)]);
    for (const zone of zones) if (!zone.isDeleted) this.#remember(zone);
    return found.map((what) => ({ kind: "past", what }));
  }

  #differences({ id, zone, versions }: StoredZone): string[] {
    return [...(this.#seen.get(id) ?? [])].flatMap(([change, seen]) => {
      const there = versions.filter(({ since, until }) => since <= change && (until === null || until > change));
      return textOf(there) === seen ? [] : [`${zone} is shown at change ${change} as it was not`];
    });
  }

  #remember({ id, records, changes }: StoredZone): void {
    const moments = this.#seen.get(id) ?? new Map<number, string>();
    this.#seen.set(id, moments);
    const newest = changes.at(-1);
    if (newest) moments.set(newest.id, textOf(records));
    for (const change of [...moments.keys()].slice(0, -keptMoments)) moments.delete(change);
  }
}

const textOf = (records: readonly StoredRecord[]) => records.map(lineOf).sort().join("\n");

/** The versions that begin before the one before them has ended: of a record, and of a content. */
function overlaps({ zone, versions }: StoredZone): string[] {
  const contentOf = ({ owner, type, wire }: StoredRecord) => `${owner} ${type} ${wire}`;
  return [({ id }: StoredRecord) => id, contentOf].flatMap((identity) =>
    [...Map.groupBy(versions, identity).values()].flatMap((group) => {
      const sorted = group.toSorted((a, b) => a.since - b.since);
      const wrong = sorted.slice(1).filter(({ since }, at) => since < (sorted[at]?.until ?? Number.POSITIVE_INFINITY));
      return wrong.map((version) => `${zone}: ${lineOf(version)} begins before the version before it ends`);
    }),
  );
}
