/**
 * What the writers were answered: for each group of records and each zone, which states the acknowledged writes allow it to have. A group
 * is written as a whole and by one writer only. A write whose answer was lost leaves two states, and the group is not written again.
 */

/**
 * The result of one write, as its client knows it: answered as done; answered as not done, so that nothing may have changed; not sent at
 * all; anything else: it may be done or not, but not in part.
 */
export type Outcome = "acknowledged" | "refused" | "unsent" | "unknown";

/** The records of a group as `owner rdata`, sorted; empty when it does not exist. */
export type Content = readonly string[];

const textOf = (content: Content) => [...content].sort().join("\n");

export class Group {
  readonly zone: string;
  readonly name: string;
  readonly parts: number;
  /** Ids of its records, by which some interfaces edit them. */
  ids: readonly string[] = [];
  #version = 0;
  /** Whether the result of its last write is not known. */
  isDoubtful = false;
  content: Content = [];
  #allowed: readonly string[] = [""];
  /** Every state it was to have at some time. */
  readonly #wanted = new Set([""]);

  constructor(zone: string, name: string, parts: number) {
    this.zone = zone;
    this.name = name;
    this.parts = parts;
  }

  /** Its records in a version from 1. */
  contentOf(version: number): Content {
    return Array.from({ length: this.parts }, (_, part) => `p${part}.${this.name} 192.0.2.${version}`);
  }

  /** What it is to hold next. */
  next(): Content {
    this.#version = (this.#version % 250) + 1;
    return this.contentOf(this.#version);
  }

  /** Takes note of a write that was to leave this content. */
  note(content: Content, outcome: Outcome): void {
    const after = textOf(content);
    this.#wanted.add(after);
    if (outcome === "acknowledged") {
      this.content = content;
      this.#allowed = [after];
    } else if (outcome === "unknown") {
      this.isDoubtful = true;
      this.#allowed = [...this.#allowed, after];
    }
  }

  /** What is wrong when the zone holds this content; a content that is right is the one it must have from now on. */
  check(content: Content): "lost" | "half" | undefined {
    const actual = textOf(content);
    const verdict = this.#allowed.includes(actual) ? undefined : this.#wanted.has(actual) ? "lost" : "half";
    this.#allowed = [actual];
    this.content = content;
    return verdict;
  }

  get expected(): string {
    return this.#allowed.map((each) => `[${each.replaceAll("\n", ", ")}]`).join(" or ");
  }
}

/** Whether of groups that were to be written together some are there and some not. */
export const isHalf = (groups: readonly Group[]) => new Set(groups.map(({ content }) => content.length > 0)).size > 1;

/** A zone that a writer creates, deletes or restores. */
export class ZoneLife {
  readonly zone: string;
  isDoubtful = false;
  /** Whether its deletion was acknowledged at some time, so that it can be restored while it does not exist. */
  wasDeleted = false;
  #allowed: readonly boolean[] = [false];

  constructor(zone: string) {
    this.zone = zone;
  }

  note(exists: boolean, outcome: Outcome): void {
    if (outcome === "acknowledged") {
      this.#allowed = [exists];
      this.wasDeleted ||= !exists;
    }
    if (outcome !== "unknown") return;
    this.isDoubtful = true;
    this.#allowed = [...this.#allowed, exists];
  }

  get exists(): boolean {
    return this.#allowed.includes(true);
  }

  check(exists: boolean): boolean {
    const isRight = this.#allowed.includes(exists);
    this.#allowed = [exists];
    this.isDoubtful = false;
    return isRight;
  }
}

export class Book {
  readonly groups = new Map<string, Group>();
  readonly zones = new Map<string, ZoneLife>();
  /** Groups that change sets were to write together, of those whose result is not known, since they were checked last. */
  readonly sets: (readonly Group[])[] = [];
  /** Serials that answers named, by zone, since they were checked last. */
  readonly serials: { readonly zone: string; readonly serial: number }[] = [];

  group(zone: string, name: string, parts: number): Group {
    const group = new Group(zone, name, parts);
    this.groups.set(`${zone} ${name}`, group);
    return group;
  }

  life(zone: string): ZoneLife {
    const life = new ZoneLife(zone);
    this.zones.set(zone, life);
    return life;
  }

  /** Forgets zones that are gone, and what was in them. */
  forget(zones: readonly string[]): void {
    for (const zone of zones) this.zones.delete(zone);
    for (const [key, group] of this.groups) if (zones.includes(group.zone)) this.groups.delete(key);
  }
}
