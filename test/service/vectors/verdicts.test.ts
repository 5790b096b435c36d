/**
 * Every front says the same of the same input: the table runs through createRecord, checkRecords and importZone of
 * GraphQL, /record/add of REST and dynamic update. A further front is one more runner here.
 */
import { isDeepStrictEqual } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { Section } from "../../../src/dns/message/header.ts";
import { codes } from "../../../src/error-codes.ts";
import { type ClientKey, UpdateClient, updateMessage } from "../../setup/dns/update-client.ts";
import { type Answer, type Json, mutation, testService } from "../../setup/service/service.ts";
import { beside, inZone } from "../../vectors/in-zone.ts";
import { eachLine } from "../../vectors/loop.ts";
import { onTheWire } from "../../vectors/on-the-wire.ts";
import { type Given, isGood, type Line, table, type Verdict } from "../../vectors/table.ts";

const service = testService();
const zone = "example.com";

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
  for (const { owner, type, ttl, rdata } of beside) await service.record(zone, owner, type, rdata, ttl);
});

/** What was seen of a verdict: the same form, of whatever the front said. */
type Seen = Given | { readonly code: string; readonly field?: string } | "left out";

const isTaken = (seen: Seen): seen is Given => typeof seen === "object" && "rdata" in seen;

/** A front: gives it a record and tells what became of it; a record that was stored is taken away again. */
interface Runner {
  readonly name: string;
  /** Whether it judges the record in its zone, or alone. */
  readonly inZone: boolean;
  readonly run: (given: Given) => Promise<Seen>;
  /** Which lines it can be given; all without it. */
  readonly takes?: ((line: Line) => boolean) | undefined;
  /** What the line says of this front. */
  readonly expected: (line: Line) => Seen;
}

const remove = (id: string) => service.mutate("deleteRecord", { recordId: id }, "deletedId");

const createRecord: Runner = {
  name: "createRecord",
  inZone: true,
  expected: ({ verdict }) => verdict,
  async run(given) {
    const document = mutation("createRecord", "record { id owner type ttl rdata }");
    const { body } = await service.graphql(document, { input: { zone, ...given } });
    if (body.errors) return { code: body.errors[0].extensions.code, field: body.errors[0].extensions.field };
    const { id, ...seen } = body.data.createRecord.record;
    await remove(id);
    return seen;
  },
};

const checkRecords: Runner = {
  name: "checkRecords",
  inZone: false,
  expected: ({ verdict }) => verdict,
  async run(given) {
    const document = `query ($zone: String!, $records: [RecordInput!]!) {
      checkRecords(zone: $zone, records: $records) { ok owner type ttl rdata refusals { code field } } }`;
    const { ok, refusals, ...seen } = (await service.data(document, { zone, records: [given] })).checkRecords[0];
    return ok ? seen : refusals[0];
  },
};

const rest: Runner = {
  name: "REST /record/add",
  inZone: true,
  expected: ({ verdict, but }) => but?.rest ?? verdict,
  async run({ type, ...given }) {
    const { status, body }: Answer = await service.rest("POST", "/record/add", {
      json: { zone, rtype: type, ...given },
    });
    if (status !== 201) return { code: body.error, field: body.field === "rtype" ? "type" : body.field };
    await remove(body.id);
    return { owner: body.owner, type: body.type, ttl: Number(body.ttl), rdata: body.rdata };
  },
};

/** A verdict of a front that says no fields. */
const codeAlone = (said: Verdict | "left out"): Seen =>
  said === "left out" || isGood(said) ? said : { code: said.code };

/** A line of a master file; its refusals say the line of the file and no field. */
const importZone: Runner = {
  name: "importZone",
  inZone: true,
  expected: ({ verdict, but }) => codeAlone(but?.file ?? verdict),
  async run({ owner, type, ttl, rdata }) {
    const document = mutation("importZone", "added { owner type ttl rdata }");
    const text = `${owner} ${ttl} IN ${type} ${rdata}\n`;
    const { body } = await service.graphql(document, { input: { zone, text, mode: "MERGE", dryRun: true } });
    if (body.errors) return { code: body.errors[0].extensions.details.reasons[0].code };
    return body.data.importZone.added[0] ?? "left out";
  },
};

/** A record of an update; the code of its refusal is read from the audit. A message that cannot be read at all has no row there. */
const dynamicUpdate: Runner = {
  name: "dynamic update",
  inZone: true,
  takes: ({ given }) => onTheWire(given, zone) !== undefined,
  expected: ({ verdict, but }) => codeAlone(but?.update ?? verdict),
  async run(given) {
    const record = onTheWire(given, zone);
    if (!record) throw new Error("no update can say this");
    const before = await standing();
    const noted = await lastRefusal();
    const message = updateMessage(zone, [], [{ section: Section.AUTHORITY, record }]);
    const { rcode } = await client.send(message, { key, protocol: "tcp" });
    if (rcode !== "NOERROR") {
      const refusal = await lastRefusal();
      if (refusal?.id === noted?.id) return { code: rcode === "FORMERR" ? "BAD_REQUEST" : rcode };
      expect(rcode).toBe(codes[refusal.code as keyof typeof codes].rcode);
      return { code: refusal.code };
    }
    const isOld = (each: object) => before.some((other) => isDeepStrictEqual(each, other));
    const changes = (await standing()).filter((each) => !isOld(each));
    const changed = changes.find(({ type }) => (type === "SOA") === (given.type === "SOA"));
    if (!changed) return "left out";
    const { id, ...seen } = changed;
    const former = before.find((each) => each.id === id);
    if (!former) await remove(id);
    else if (former.type !== "SOA") {
      const { id: recordId, ...fields } = former;
      await service.mutate("updateRecord", { recordId, ...fields }, "record { id }");
    }
    return seen;
  },
};

const client = new UpdateClient(() => service.dnsPort);
let key: ClientKey;

beforeAll(async () => {
  key = await service.tsigKey({ name: "updates.example.com", zones: [zone] });
});

async function standing(): Promise<(Given & { id: string })[]> {
  const records = "records(first: 1000) { nodes { id owner type ttl rdata } }";
  return (await service.data(`{ domain(by: { zone: "${zone}" }) { ${records} } }`)).domain.records.nodes;
}

async function lastRefusal(): Promise<Json> {
  return (await service.data("{ updateRefusals(first: 1) { nodes { id code } } }")).updateRefusals.nodes[0];
}

const clipped = (text: string) => JSON.stringify(text.length > 50 ? `${text.slice(0, 50)}…` : text);
const nameOf = (runner: Runner) => (line: Line) => {
  const { owner, ttl, type, rdata } = line.given;
  return `${isTaken(runner.expected(line)) ? "takes" : "refuses"} ${clipped(owner)} ${ttl} ${type} ${clipped(rdata)}`;
};

for (const runner of [createRecord, checkRecords, rest, importZone, dynamicUpdate]) {
  let before: Json;
  eachLine(
    {
      name: runner.name,
      takes: runner.takes,
      expected: runner.expected,
      verdict: async (line) => {
        if (isTaken(runner.expected(line))) return runner.run(line.given);
        const unmoved = await service.snapshot(zone);
        const seen = await runner.run(line.given);
        expect(await service.snapshot(zone)).toEqual(unmoved);
        return seen;
      },
    },
    [...table, ...(runner.inZone ? inZone : [])],
    {
      ruleOf: ({ rule }) => rule,
      nameOf: nameOf(runner),
      more: () => {
        beforeAll(async () => {
          before = await service.snapshot(zone);
        });
        test("leaves the records as they were", async () => {
          expect((await service.snapshot(zone))[0].records.slice(1)).toEqual(before[0].records.slice(1));
        });
      },
    },
  );
}

test("what no update can say is bad everywhere, and little", () => {
  const untold = [...table, ...inZone].filter((line) => !onTheWire(line.given, zone));
  expect(untold.filter(({ verdict }) => isGood(verdict))).toEqual([]);
  expect(untold.length).toBeLessThan(table.length / 3);
});

test("checkRecords judges a record alone: what its zone decides is well formed", async () => {
  for (const { given } of inZone) expect(await checkRecords.run(given)).not.toHaveProperty("code");
});
