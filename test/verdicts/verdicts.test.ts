/**
 * Every front says the same of the same input: the table runs through createRecord, checkRecords and importZone of
 * GraphQL and /record/add of REST. A further front is one more runner here.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Answer, type Json, testService } from "../setup/service.ts";
import { type Given, isGood, type Line, table } from "./table.ts";
import { beside, inZone } from "./zone.ts";

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
  /** What the line says of this front. */
  readonly expected: (line: Line) => Seen;
}

async function remove(id: string): Promise<void> {
  await service.data("mutation ($input: DeleteRecordInput!) { deleteRecord(input: $input) { deletedId } }", {
    input: { id },
  });
}

const createRecord: Runner = {
  name: "createRecord",
  inZone: true,
  expected: ({ verdict }) => verdict,
  async run(given) {
    const document =
      "mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record { id owner type ttl rdata } } }";
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

/** A line of a master file; its refusals say the line of the file and no field. */
const importZone: Runner = {
  name: "importZone",
  inZone: true,
  expected({ verdict, but }) {
    const said = but?.file ?? verdict;
    return said === "left out" || isGood(said) ? said : { code: said.code };
  },
  async run({ owner, type, ttl, rdata }) {
    const document = `mutation ($input: ImportZoneInput!) {
      importZone(input: $input) { addedRecords { owner type ttl rdata } } }`;
    const text = `${owner} ${ttl} IN ${type} ${rdata}\n`;
    const { body } = await service.graphql(document, { input: { zone, text, mode: "MERGE", dryRun: true } });
    if (body.errors) return { code: body.errors[0].extensions.details.reasons[0].code };
    return body.data.importZone.addedRecords[0] ?? "left out";
  },
};

const clipped = (text: string) => JSON.stringify(text.length > 50 ? `${text.slice(0, 50)}…` : text);
const named = (lines: readonly Line[]) =>
  lines.map(
    (line) =>
      [`${clipped(line.given.owner)} ${line.given.ttl} ${line.given.type} ${clipped(line.given.rdata)}`, line] as const,
  );

describe.each([createRecord, checkRecords, rest, importZone])("$name", (runner) => {
  const { run, expected, inZone: judgesZone } = runner;
  let before: Json;
  beforeAll(async () => {
    before = await service.snapshot(zone);
  });

  describe.each([...Map.groupBy([...table, ...(judgesZone ? inZone : [])], ({ rule }) => rule)])("%s", (_, lines) => {
    const good = lines.filter((line) => isTaken(expected(line)));
    const bad = lines.filter((line) => !good.includes(line));
    if (good.length > 0)
      test.each(named(good))("takes %s", async (_name, line) => {
        expect(await run(line.given)).toEqual(expected(line));
      });
    if (bad.length > 0)
      test.each(named(bad))("refuses %s", async (_name, line) => {
        const unmoved = await service.snapshot(zone);
        expect(await run(line.given)).toEqual(expected(line));
        expect(await service.snapshot(zone)).toEqual(unmoved);
      });
  });

  test("leaves the records as they were", async () => {
    expect((await service.snapshot(zone))[0].records.slice(1)).toEqual(before[0].records.slice(1));
  });
});

test("checkRecords judges a record alone: what its zone decides is well formed", async () => {
  for (const { given } of inZone) expect(await checkRecords.run(given)).not.toHaveProperty("code");
});
