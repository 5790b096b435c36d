/**
 * Writers: each writes groups of records by one interface, one write after the other, and keeps what it was answered in the book.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../basics/random.ts";
import type { Book, Content, Group, ZoneLife } from "./book.ts";
import type { Client, Reply } from "./client.ts";
import type { Door } from "./tally.ts";

/** Pause after a write that was not acknowledged, ms. */
const retryPauseMs = 40;

/** Groups that a writer edits at a time. */
const maxOpenGroups = 8;

const ttl = "300";
const changeRecords = `mutation ($input: ChangeRecordsInput!) {
  changeRecords(input: $input) { records { id } change { serial } } }`;
const createDomain = "mutation ($input: CreateDomainInput!) { createDomain(input: $input) { change { serial } } }";
const restoreDomain = "mutation ($input: RestoreDomainInput!) { restoreDomain(input: $input) { change { serial } } }";
const deleteDomain = "mutation ($input: DeleteDomainInput!) { deleteDomain(input: $input) { change { serial } } }";

const wordsOf = (content: Content) => content.map((line) => line.split(" ") as [owner: string, rdata: string]);

/** How groups are written by one interface. */
export interface Pen {
  /** Records of a group, at most. */
  readonly maxParts: number;
  /** Whether a group can be edited only with the ids of its records. */
  readonly editsById: boolean;
  create(group: Group, content: Content): Promise<Reply>;
  replace(group: Group, content: Content): Promise<Reply>;
  remove(group: Group): Promise<Reply>;
}

/** The service runs two imports at a time, so that one writer at most makes them. */
function restPen(client: Client, isImporting: boolean): Pen {
  const form = (zone: string, [owner, rdata]: [string, string]) => ({ zone, owner, rdata, rtype: "A", ttl });
  const only = (content: Content) => wordsOf(content)[0] as [string, string];
  return {
    maxParts: isImporting ? 4 : 1,
    editsById: true,
    create: async (group, content) => {
      if (content.length > 1) {
        const lines = wordsOf(content).map(([owner, rdata]) => `${owner} ${ttl} A ${rdata}\n`);
        return client.rest("POST", `/domain/zonefile/${group.zone}`, lines.join(""));
      }
      const reply = await client.rest("POST", "/record/add", form(group.zone, only(content)));
      if (reply.outcome === "acknowledged") group.ids = [String(reply.body.id)];
      return reply;
    },
    replace: (group, content) => client.rest("PUT", `/record/edit/${group.ids[0]}`, form(group.zone, only(content))),
    remove: (group) => client.rest("DELETE", `/record/delete/${group.ids[0]}`),
  };
}

function graphqlPen(client: Client): Pen {
  return {
    maxParts: 6,
    editsById: true,
    create: async (group, content) => {
      const { zone } = group;
      const add = wordsOf(content).map(([owner, rdata]) => ({ owner, rdata, type: "A", ttl: Number(ttl) }));
      const reply = await client.graphql(changeRecords, { zone, add });
      if (reply.outcome === "acknowledged") group.ids = reply.body.records.map(({ id }: { id: string }) => id);
      return reply;
    },
    replace: ({ zone, ids }, content) => {
      const update = wordsOf(content).map(([, rdata], at) => ({ id: ids[at], rdata }));
      return client.graphql(changeRecords, { zone, update });
    },
    remove: ({ zone, ids }) => client.graphql(changeRecords, { zone, remove: ids }),
  };
}

function updatePen(client: Client, random: Random): Pen {
  const send = (zone: string, lines: string[]) => client.update(zone, lines, random.pick(["udp", "tcp"] as const));
  const additions = (content: Content) => wordsOf(content).map(([owner, rdata]) => `add ${owner} ${ttl} A ${rdata}`);
  const deletions = (content: Content) => wordsOf(content).map(([owner]) => `del ${owner} A`);
  return {
    maxParts: 6,
    editsById: false,
    create: ({ zone }, content) => send(zone, additions(content)),
    replace: ({ zone, content: before }, content) => send(zone, [...deletions(before), ...additions(content)]),
    remove: ({ zone, content }) => send(zone, deletions(content)),
  };
}

/** The pen of an interface. */
export function penOf(door: Door, client: Client, random: Random, isImporting: boolean): Pen {
  if (door === "rest") return restPen(client, isImporting);
  return door === "graphql" ? graphqlPen(client) : updatePen(client, random);
}

/** Something that writes again and again. */
export interface Writer {
  /** Makes one write; whether it was acknowledged. */
  step(): Promise<boolean>;
}

/** Writes groups of records in some zones. */
export class RecordWriter implements Writer {
  readonly #name: string;
  readonly #pen: Pen;
  readonly #zones: readonly string[];
  readonly #book: Book;
  readonly #random: Random;
  #open: Group[] = [];
  #count = 0;

  constructor(name: string, pen: Pen, zones: readonly string[], book: Book, random: Random) {
    this.#name = name;
    this.#pen = pen;
    this.#zones = zones;
    this.#book = book;
    this.#random = random;
  }

  step(): Promise<boolean> {
    const random = this.#random;
    const group = this.#open.length > 0 && random.next() < 0.5 ? random.pick(this.#open) : undefined;
    if (!group || (this.#open.length < maxOpenGroups && random.next() < 0.3)) return this.create();
    return random.next() < 0.7 ? this.#replace(group) : this.#remove(group);
  }

  /** Creates a group. */
  async create(): Promise<boolean> {
    this.#count += 1;
    const parts = this.#random.between(1, this.#pen.maxParts);
    const zone = this.#random.pick(this.#zones);
    const group = this.#book.group(zone, `${this.#name}-${this.#count}`, parts);
    const content = this.#next(group);
    const isDone = this.#note(group, content, await this.#pen.create(group, content));
    // An import does not return the ids of its records.
    if (isDone && (group.ids.length > 0 || !this.#pen.editsById)) this.#open.push(group);
    if (this.#open.length > maxOpenGroups) this.#open.shift();
    return isDone;
  }

  async #replace(group: Group): Promise<boolean> {
    const content = this.#next(group);
    return this.#note(group, content, await this.#pen.replace(group, content));
  }

  async #remove(group: Group): Promise<boolean> {
    this.#open = this.#open.filter((each) => each !== group);
    return this.#note(group, [], await this.#pen.remove(group));
  }

  #next(group: Group): Content {
    group.version = (group.version % 250) + 1;
    return group.contentOf(group.version);
  }

  #note(group: Group, content: Content, { outcome, serial }: Reply): boolean {
    group.note(content, outcome);
    if (serial !== undefined) this.#book.serials.push({ zone: group.zone, serial });
    if (group.isDoubtful) this.#open = this.#open.filter((each) => each !== group);
    return outcome === "acknowledged";
  }
}

/** Creates, deletes and restores zones. */
export class ZoneWriter implements Writer {
  readonly #prefix: string;
  readonly #client: Client;
  readonly #userId: string;
  readonly #book: Book;
  readonly #random: Random;
  #count = 0;

  constructor(prefix: string, client: Client, userId: string, book: Book, random: Random) {
    this.#prefix = prefix;
    this.#client = client;
    this.#userId = userId;
    this.#book = book;
    this.#random = random;
  }

  async step(): Promise<boolean> {
    const own = [...this.#book.zones.values()].filter(({ zone }) => zone.startsWith(`${this.#prefix}-`));
    const present = own.filter(({ exists, isDoubtful }) => exists && !isDoubtful);
    if (present.length >= 3) return this.#write(deleteDomain, this.#random.pick(present), false);
    const deleted = own.filter(({ exists, isDoubtful, wasDeleted }) => wasDeleted && !exists && !isDoubtful);
    if (deleted.length > 0 && this.#random.next() < 0.4)
      return this.#write(restoreDomain, this.#random.pick(deleted), true, ({ zone }) => ({ by: { zone } }));
    this.#count += 1;
    const life = this.#book.life(`${this.#prefix}-${this.#count}.example`);
    return this.#write(createDomain, life, true, ({ zone }) => ({ zone, userId: this.#userId }));
  }

  async #write(
    document: string,
    life: ZoneLife,
    exists: boolean,
    inputOf = ({ zone }: ZoneLife): object => ({ zone }),
  ): Promise<boolean> {
    const { outcome, serial } = await this.#client.graphql(document, inputOf(life));
    life.note(exists, outcome);
    if (exists && serial !== undefined) this.#book.serials.push({ zone: life.zone, serial });
    await sleep(this.#random.between(100, 400));
    return outcome === "acknowledged";
  }
}

/** Lets writers write at the same time until they are stopped. */
export class Crowd {
  #isStopped = false;
  readonly #ends: Promise<void>[];

  constructor(writers: readonly Writer[]) {
    this.#ends = writers.map((writer) => this.#run(writer));
  }

  /** Waits until every write that was begun has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#ends);
  }

  async #run(writer: Writer): Promise<void> {
    while (!this.#isStopped) if (!(await writer.step())) await sleep(retryPauseMs);
  }
}
