/** Writers: each writes again and again by one interface, one write after the other, and keeps what it was answered in the book. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../basics/random.ts";
import type { Book, Content, Group, ZoneLife } from "./book.ts";
import type { Door, LossyClient, Reply } from "./client.ts";

/** Pause after a write that was not acknowledged, ms. */
const retryPauseMs = 40;

/** Groups that a writer edits at a time. */
const maxOpenGroups = 8;

/** Something that writes again and again: it makes one write; whether that was acknowledged. */
export type Writer = () => Promise<boolean>;

/** What a writer writes with, and where; the random numbers are its own. */
export interface Tools {
  readonly client: LossyClient;
  readonly book: Book;
  readonly random: Random;
  readonly zones: readonly string[];
  readonly userId: string;
}

const ttl = 300;
const wordsOf = (content: Content) => content.map((line) => line.split(" ") as [owner: string, rdata: string]);
const recordsOf = (content: Content) => wordsOf(content).map(([owner, rdata]) => ({ owner, rdata, type: "A", ttl }));

/** How groups are written by one interface. */
interface Pen {
  /** Records of a group, at most. */
  readonly maxParts: number;
  /** Whether a group can be edited only with the ids of its records. */
  readonly editsById: boolean;
  create(group: Group, content: Content): Promise<Reply>;
  replace(group: Group, content: Content): Promise<Reply>;
  remove(group: Group): Promise<Reply>;
}

/** The service runs two imports at a time, so that one writer at most makes them. */
function restPen({ client }: Tools, isImporting: boolean): Pen {
  const formOf = (zone: string, content: Content) => {
    const [[owner, rdata]] = wordsOf(content) as [[string, string]];
    return { form: { zone, owner, rdata, rtype: "A", ttl } };
  };
  return {
    maxParts: isImporting ? 4 : 1,
    editsById: true,
    create: async (group, content) => {
      if (content.length > 1) {
        const body = wordsOf(content)
          .map(([owner, rdata]) => `${owner} ${ttl} A ${rdata}\n`)
          .join("");
        return client.rest("POST", `/domain/zonefile/${group.zone}`, { body, headers: { "Content-Type": "text/dns" } });
      }
      const reply = await client.rest("POST", "/record/add", formOf(group.zone, content));
      if (reply.outcome === "acknowledged") group.ids = [String(reply.body.id)];
      return reply;
    },
    replace: (group, content) => client.rest("PUT", `/record/edit/${group.ids[0]}`, formOf(group.zone, content)),
    remove: (group) => client.rest("DELETE", `/record/delete/${group.ids[0]}`),
  };
}

function graphqlPen({ client }: Tools): Pen {
  return {
    maxParts: 6,
    editsById: true,
    create: async (group, content) => {
      const input = { zone: group.zone, add: recordsOf(content) };
      const reply = await client.mutate("changeRecords", input, "records { id } change { serial }");
      if (reply.outcome === "acknowledged") group.ids = reply.body.records.map(({ id }: { id: string }) => id);
      return reply;
    },
    replace: ({ zone, ids }, content) => {
      const update = wordsOf(content).map(([, rdata], at) => ({ recordId: ids[at], rdata }));
      return client.mutate("changeRecords", { zone, update });
    },
    remove: ({ zone, ids }) => client.mutate("changeRecords", { zone, remove: ids }),
  };
}

function updatePen({ client, random }: Tools): Pen {
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

/** Writes groups of records in some zones; `create` creates one. One by REST may be importing. */
export function recordWriter(
  name: string,
  door: Door,
  tools: Tools,
  isImporting = false,
): Record<"step" | "create", Writer> {
  const { book, random, zones } = tools;
  const pen = door === "rest" ? restPen(tools, isImporting) : door === "graphql" ? graphqlPen(tools) : updatePen(tools);
  let open: Group[] = [];
  let count = 0;
  const leave = (group: Group) => {
    open = open.filter((each) => each !== group);
  };
  const note = (group: Group, content: Content, { outcome, serial }: Reply) => {
    group.note(content, outcome);
    if (serial !== undefined) book.serials.push({ zone: group.zone, serial });
    if (group.isDoubtful) leave(group);
    return outcome === "acknowledged";
  };
  const create = async () => {
    count += 1;
    const parts = random.between(1, pen.maxParts);
    const group = book.group(random.pick(zones), `${name}-${count}`, parts);
    const content = group.next();
    const isDone = note(group, content, await pen.create(group, content));
    // An import does not return the ids of its records.
    if (isDone && (group.ids.length > 0 || !pen.editsById)) open.push(group);
    if (open.length > maxOpenGroups) open.shift();
    return isDone;
  };
  const replace = async (group: Group) => {
    const content = group.next();
    return note(group, content, await pen.replace(group, content));
  };
  const remove = async (group: Group) => {
    leave(group);
    return note(group, [], await pen.remove(group));
  };
  const step = () => {
    const group = open.length > 0 && random.next() < 0.5 ? random.pick(open) : undefined;
    if (!group || (open.length < maxOpenGroups && random.next() < 0.3)) return create();
    return random.next() < 0.7 ? replace(group) : remove(group);
  };
  return { step, create };
}

export function zoneWriter(prefix: string, { client, book, random, userId }: Tools): Writer {
  let count = 0;
  const write = async (name: string, life: ZoneLife, exists: boolean, input: object) => {
    const { outcome, serial } = await client.mutate(name, input);
    life.note(exists, outcome);
    if (exists && serial !== undefined) book.serials.push({ zone: life.zone, serial });
    await sleep(random.between(100, 400));
    return outcome === "acknowledged";
  };
  return () => {
    const own = [...book.zones.values()].filter(({ zone, isDoubtful }) => zone.startsWith(`${prefix}-`) && !isDoubtful);
    const present = own.filter(({ exists }) => exists);
    if (present.length >= 3) {
      const life = random.pick(present);
      return write("deleteDomain", life, false, { by: { zone: life.zone } });
    }
    const deleted = own.filter(({ exists, wasDeleted }) => wasDeleted && !exists);
    if (deleted.length > 0 && random.next() < 0.4) {
      const life = random.pick(deleted);
      return write("restoreDomain", life, true, { by: { zone: life.zone } });
    }
    count += 1;
    const life = book.life(`${prefix}-${count}.example`);
    return write("createDomain", life, true, { zone: life.zone, userId });
  };
}

/** Applies change sets, each of which adds a group to every zone, and undoes what they did, zone by zone. */
export function setWriter(name: string, { client, book, random, zones }: Tools): Writer {
  /** Groups that are there, each with the change that added it. */
  const open: { readonly group: Group; readonly change: string }[] = [];
  let count = 0;
  const apply = async () => {
    count += 1;
    const groups = zones.map((zone) => book.group(zone, `${name}-${count}`, 2));
    const parts = groups.map((group) => ({ edit: { zone: group.zone, add: recordsOf(group.contentOf(1)) } }));
    const input = { title: name, zones: parts };
    const created = await client.mutate("createChangeSet", input, "changeSet { id } preview { fingerprint }");
    if (created.outcome !== "acknowledged") return false;
    const { changeSet, preview } = created.body;
    const { outcome, body } = await client.mutate(
      "applyChangeSet",
      { changeSetId: changeSet.id, expectedFingerprint: preview.fingerprint },
      "changeSet { zones { nodes { zone change { id serial } } } }",
    );
    for (const group of groups) group.note(group.contentOf(1), outcome);
    if (outcome === "unknown") book.sets.push(groups);
    if (outcome !== "acknowledged") return false;
    for (const { zone, change } of body.changeSet.zones.nodes) {
      book.serials.push({ zone, serial: change.serial });
      open.push({ group: groups.find((each) => each.zone === zone) as Group, change: change.id });
    }
    return true;
  };
  const undo = async () => {
    const [{ group, change }] = open.splice(random.between(0, open.length - 1), 1) as [(typeof open)[number]];
    const { outcome, serial } = await client.mutate("revertChange", { changeId: change });
    group.note([], outcome);
    if (serial !== undefined) book.serials.push({ zone: group.zone, serial });
    return outcome === "acknowledged";
  };
  return () => (open.length >= zones.length ? undo() : apply());
}

/** Lets writers write at the same time until it is stopped: then it waits until every write that was begun has ended. */
export function letWrite(writers: readonly Writer[]): { stop: () => Promise<void> } {
  let isStopped = false;
  const run = async (writer: Writer) => {
    while (!isStopped) if (!(await writer())) await sleep(retryPauseMs);
  };
  const ends = writers.map(run);
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(ends);
    },
  };
}
