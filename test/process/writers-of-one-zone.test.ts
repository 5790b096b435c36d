/**
 * Sixty-four writers of one zone in two processes on one database: each is acknowledged again and again, every acknowledged record is
 * there once, and the journal leads from the zone's creation to its serial without a gap.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { dropDatabase, freshDatabase, query } from "../setup/database/database.ts";
import { RunningService } from "../setup/process/service-process.ts";

const zone = "busy.example.com";
const writersOfProcess = 32;
const rounds = 12;
const create =
  "mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record { id } change { serial } } }";

let url: string;
let services: RunningService[] = [];
beforeAll(async () => {
  url = await freshDatabase();
  services = [];
  for (const _process of [1, 2]) services.push(await RunningService.start({ DATABASE_URL: url }));
  const [first] = services as [RunningService];
  const user = "mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }";
  const { id } = (await first.graphql(user, { email: "busy@example.com" })).data.createUser.user;
  await first.rest("/domain/add", { zone, user_id: id });
});
afterAll(async () => {
  for (const { process } of services) {
    process.child.kill("SIGTERM");
    await process.ended();
  }
  await dropDatabase(url);
});

/** What was acknowledged, in the order of the answers: by process, writer and serial. */
const stored: { readonly process: number; readonly writer: number; readonly serial: number }[] = [];

/** Writes until all writers together have had so many answers. */
async function writeOn(process: number, writer: number): Promise<void> {
  for (let n = 0; stored.length < 2 * writersOfProcess * rounds; n += 1) {
    const owner = `w${process}-${writer}-${n}`;
    const service = services[process] as RunningService;
    const { data, errors } = await service.graphql(create, { zone, owner, type: "A", rdata: "192.0.2.1" });
    expect(errors).toBeUndefined();
    stored.push({ process, writer, serial: data.createRecord.change.serial });
  }
}

test("sixty-four writers of one zone in two processes all come to write, and each of their changes is one step", async () => {
  const writers = [0, 1].flatMap((process) =>
    Array.from({ length: writersOfProcess }, (_, writer) => writeOn(process, writer)),
  );
  await Promise.all(writers);
  const serials = stored.map(({ serial }) => serial).toSorted((a, b) => a - b);
  const rows = await query<{ serial: number; previous: number | null }>(
    url,
    "select serial::float8, previous_serial::float8 as previous from change where zone = $1 order by id",
    [zone],
  );
  expect(rows.map(({ previous }) => previous)).toEqual([null, ...rows.slice(0, -1).map(({ serial }) => serial)]);
  expect(rows.slice(1).map(({ serial }) => serial)).toEqual(serials);
  const records = await query(url, "select distinct owner from zone_record where owner like 'w%-%'");
  expect(records).toHaveLength(stored.length);
  const [{ last } = { last: null }] = await query<{ last: string }>(
    url,
    `select d.serial || ' ' || split_part(r.rdata, ' ', 3) as last from domain d
      join zone_record r on r.domain_id = d.id and r.type = 'SOA' where d.zone = $1`,
    [zone],
  );
  expect(last).toBe(`${serials.at(-1)} ${serials.at(-1)}`);
  // Nobody starves: each process has had a tenth of all writes at least, and each writer some.
  for (const process of [0, 1]) {
    const ofProcess = stored.filter((each) => each.process === process);
    expect(ofProcess.length).toBeGreaterThan(stored.length / 10);
    const counts = Map.groupBy(ofProcess, ({ writer }) => writer);
    expect(counts.size).toBe(writersOfProcess);
    expect(Math.min(...[...counts.values()].map(({ length }) => length))).toBeGreaterThan(1);
  }
});
