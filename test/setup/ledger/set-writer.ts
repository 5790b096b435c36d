/**
 * A writer that applies change sets, each of which adds a group to every zone, and undoes what they did, zone by zone.
 */
import type { Random } from "../basics/random.ts";
import type { Book, Group } from "./book.ts";
import type { Client } from "./client.ts";
import type { Writer } from "./writer.ts";

const createChangeSet = `mutation ($input: CreateChangeSetInput!) {
  createChangeSet(input: $input) { changeSet { id } preview { fingerprint } } }`;
const applyChangeSet = `mutation ($input: ApplyChangeSetInput!) {
  applyChangeSet(input: $input) { changeSet { zones { nodes { zone change { id serial } } } } } }`;
const revertChange = "mutation ($input: RevertChangeInput!) { revertChange(input: $input) { change { serial } } }";

/** A zone of an applied set, as its answer has it. */
interface AppliedZone {
  readonly zone: string;
  readonly change: { readonly id: string; readonly serial: number };
}

/** A group that is there, and the change that added it. */
interface Added {
  readonly group: Group;
  readonly change: string;
}

const partsOfGroup = 2;

export class SetWriter implements Writer {
  readonly #name: string;
  readonly #client: Client;
  readonly #zones: readonly string[];
  readonly #book: Book;
  readonly #random: Random;
  readonly #open: Added[] = [];
  #count = 0;

  constructor(name: string, client: Client, zones: readonly string[], book: Book, random: Random) {
    this.#name = name;
    this.#client = client;
    this.#zones = zones;
    this.#book = book;
    this.#random = random;
  }

  step(): Promise<boolean> {
    return this.#open.length >= this.#zones.length ? this.#undo() : this.#apply();
  }

  async #apply(): Promise<boolean> {
    this.#count += 1;
    const groups = this.#zones.map((zone) => this.#book.group(zone, `${this.#name}-${this.#count}`, partsOfGroup));
    const zones = groups.map((group) => ({
      zone: group.zone,
      add: group.contentOf(1).map((line) => {
        const [owner, rdata] = line.split(" ");
        return { owner, rdata, type: "A", ttl: 300 };
      }),
    }));
    const created = await this.#client.graphql(createChangeSet, { title: this.#name, zones });
    if (created.outcome !== "acknowledged") return false;
    const { changeSet, preview } = created.body;
    const input = { id: changeSet.id, expectedFingerprint: preview.fingerprint };
    const { outcome, body } = await this.#client.graphql(applyChangeSet, input);
    for (const group of groups) group.note(group.contentOf(1), outcome);
    if (outcome === "unknown") this.#book.sets.push(groups);
    if (outcome !== "acknowledged") return false;
    for (const { zone, change } of body.changeSet.zones.nodes as AppliedZone[]) {
      this.#book.serials.push({ zone, serial: change.serial });
      const group = groups.find((each) => each.zone === zone) as Group;
      this.#open.push({ group, change: change.id });
    }
    return true;
  }

  async #undo(): Promise<boolean> {
    const [{ group, change }] = this.#open.splice(this.#random.between(0, this.#open.length - 1), 1) as [Added];
    const { outcome, serial } = await this.#client.graphql(revertChange, { id: change });
    group.note([], outcome);
    if (serial !== undefined) this.#book.serials.push({ zone: group.zone, serial });
    return outcome === "acknowledged";
  }
}
