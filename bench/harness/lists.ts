/** Measures whole lists: the times of the first and the last byte, and the peak memory of the process. */
import { get } from "node:http";
import { headers } from "./cases.ts";
import { editedRecords, largeZone, type Size, smallRecords, tenthZone } from "./data.ts";
import { cpuOf, forgetPeak, peakOf, type Side } from "./processes.ts";
import { median } from "./rounds.ts";
import type { Stage } from "./stage.ts";

/** The results of one side for one list: medians of several reads; times and CPU in ms, memory in MB. */
export interface ListFigures {
  readonly firstByte: number;
  readonly total: number;
  readonly cpu: number;
  readonly peak: number;
}

export interface ListResult {
  readonly name: string;
  readonly records: number;
  readonly floor: ListFigures;
  readonly service: ListFigures;
}

/** How often the longest list is read before the measurement, so that the JavaScript heap reaches its final size. */
const settling = 8;

export async function measureLists(stage: Stage, size: Size, rounds: number): Promise<ListResult[]> {
  const tenth = size.records / 10;
  const all = {
    name: "all zones",
    records: smallRecords(size) + tenth + size.records + editedRecords,
    floor: "/rest/list/",
    service: "/api/record/list",
  };
  const lists = [
    {
      name: "one zone",
      records: tenth,
      floor: `/rest/list/${tenthZone}`,
      service: `/api/record/list?zone=${tenthZone}`,
    },
    {
      name: "one zone",
      records: size.records,
      floor: `/rest/list/${largeZone}`,
      service: `/api/record/list?zone=${largeZone}`,
    },
    all,
  ];
  const { records, floor, service } = all;
  await readOften(stage.sides.floor, floor, records, settling);
  await readOften(stage.sides.service, service, records, settling);
  const results: ListResult[] = [];
  for (const { name, records, ...paths } of lists) {
    const floor = await readOften(stage.sides.floor, paths.floor, records, rounds);
    results.push({
      name,
      records,
      floor,
      service: await readOften(stage.sides.service, paths.service, records, rounds),
    });
  }
  return results;
}

async function readOften(side: Side, path: string, records: number, rounds: number): Promise<ListFigures> {
  const reads: ListFigures[] = [];
  for (let n = 0; n < rounds; n++) {
    forgetPeak(side.pid);
    const cpu = cpuOf(side.pid);
    const { text, ...times } = await read(side.port, path);
    const list = JSON.parse(text) as { id: number }[];
    if (new Set(list.map(({ id }) => id)).size !== records || list.length !== records)
      throw new Error(`${path}: ${list.length} records, not ${records}`);
    reads.push({ ...times, cpu: cpuOf(side.pid) - cpu, peak: peakOf(side.pid) });
  }
  const of = (field: keyof ListFigures) => median(reads.map((each) => each[field]));
  return { firstByte: of("firstByte"), total: of("total"), cpu: of("cpu"), peak: of("peak") };
}

function read(port: number, path: string): Promise<{ firstByte: number; total: number; text: string }> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const request = get(
      { port, host: "127.0.0.1", path, headers: { "X-API-Key": headers["X-API-Key"] } },
      (response) => {
        const chunks: Buffer[] = [];
        let firstByte: number | undefined;
        response.on("data", (chunk: Buffer) => {
          firstByte ??= performance.now() - start;
          chunks.push(chunk);
        });
        response.on("error", reject);
        response.on("end", () => {
          const total = performance.now() - start;
          if (response.statusCode !== 200) reject(new Error(`${path}: status ${response.statusCode}`));
          else resolve({ firstByte: firstByte ?? total, total, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    request.on("error", reject);
  });
}
