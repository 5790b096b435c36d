/**
 * Sixty-four writers of one zone in two processes on one database: each is acknowledged again and again, every acknowledged record is
 * there once, and the journal leads from the zone's creation to its serial without a gap.
 */
import { beforeAll, expect, test } from "@jest/globals";
import type { RunningService } from "../setup/process/running-service.ts";
import { servicesOfDatabase } from "../setup/process/service-process.ts";

const zone = "busy.example.com";
const writersOfProcess = 32;
const rounds = 12;

const processes = servicesOfDatabase();
let services: RunningService[];
beforeAll(async () => {
  services = [await processes.start(), await processes.start()];
  await services[0]?.domains(zone);
});

/** What was acknowledged, in the order of the answers: by process, writer and serial. */
const stored: { readonly process: number; readonly writer: number; readonly serial: number }[] = [];

/** Writes until all writers together have had so many answers. */
async function writeOn(process: number, writer: number): Promise<void> {
  for (let n = 0; stored.length < 2 * writersOfProcess * rounds; n += 1) {
    const owner = `w${process}-${writer}-${n}`;
    const service = services[process] as RunningService;
    const input = { zone, owner, type: "A", rdata: "192.0.2.1" };
    const { change } = await service.mutate("createRecord", input, "change { serial }");
    stored.push({ process, writer, serial: change.serial });
  }
}

test("sixty-four writers of one zone in two processes all come to write, and each of their changes is one step", async () => {
  const writers = [0, 1].flatMap((process) =>
    Array.from({ length: writersOfProcess }, (_, writer) => writeOn(process, writer)),
  );
  await Promise.all(writers);
  const serials = stored.map(({ serial }) => serial).toSorted((a, b) => a - b);
  const rows = await processes.sql<{ serial: number; previous: number | null }>(
    "select serial::float8, previous_serial::float8 as previous from change where zone = $1 order by id",
    [zone],
  );
  expect(rows.map(({ previous }) => previous)).toEqual([null, ...rows.slice(0, -1).map(({ serial }) => serial)]);
  expect(rows.slice(1).map(({ serial }) => serial)).toEqual(serials);
  const records = await processes.sql("select distinct owner from zone_record where owner like 'w%-%'");
  expect(records).toHaveLength(stored.length);
  const [domain] = await processes.sql("select serial::float8 from domain where zone = $1", [zone]);
  expect(domain).toEqual({ serial: serials.at(-1) });
  // Nobody starves: each process has had a tenth of all writes at least, and each writer some.
  for (const process of [0, 1]) {
    const ofProcess = stored.filter((each) => each.process === process);
    expect(ofProcess.length).toBeGreaterThan(stored.length / 10);
    const counts = Map.groupBy(ofProcess, ({ writer }) => writer);
    expect(counts.size).toBe(writersOfProcess);
    expect(Math.min(...[...counts.values()].map(({ length }) => length))).toBeGreaterThan(1);
  }
});
