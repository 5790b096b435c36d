/** PostgreSQL finds the rows of a change set by indexes, also when its statistics are those of a large zone that is gone. */
import { afterEach, expect, jest, test } from "@jest/globals";
import pg from "pg";
import { revertChanges } from "../../../src/changeset/bulk/revert-changes.ts";
import { listRows } from "../../../src/lists/list-statement.ts";
import { sql } from "../../../src/sql/sql.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import { textOf } from "../../setup/database/statement-text.ts";
import { testChangeSets } from "../../setup/zones/change-sets.ts";

const zones = testChangeSets();
const query = jest.spyOn(pg.Client.prototype, "query");
afterEach(() => void query.mockClear());

/** The statements that were sent, as far as they have a plan. */
const planned = () => {
  const texts = query.mock.calls.map(([sent]) => textOf(sent));
  return [...new Set(texts)].filter((text) => /^\s*(\/\*.*\*\/)?\s*(select|with|insert|update|delete)\b/.test(text));
};

/** A step of a plan. */
interface Step {
  readonly "Node Type"?: string;
  readonly "Relation Name"?: string;
  readonly "Index Cond"?: string;
  readonly Plans?: readonly Step[];
}
const stepsOf = (step: Step): readonly Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

/** The tables with the records of all zones that a statement reads without a condition of an index, on a connection of the same pool. */
async function readWhole(text: string): Promise<string[]> {
  const [row] = await zones
    .session()
    .em.getConnection()
    .execute<{ "QUERY PLAN": [{ Plan: Step }] }[]>(`explain (generic_plan, format json) ${text}`);
  return stepsOf(row?.["QUERY PLAN"][0].Plan ?? {}).flatMap((step) => {
    const isScan = /^(Seq|Index|Index Only) Scan$/.test(step["Node Type"] ?? "");
    const table = step["Relation Name"] ?? "";
    return isScan && step["Index Cond"] === undefined && /_(record|edit)$/.test(table) ? [table] : [];
  });
}

test("zones are created, edited, deleted and restored by indexes, after a zone of 20,000 records was imported and deleted", async () => {
  const records = Array.from({ length: 20_000 }, (_, n) => `h${n} A 10.0.${n >> 8}.${n & 255}`);
  const large = { zone: "large.example.com", mode: "MERGE", userId: zones.userId } as const;
  await importZone(zones.session(), { ...large, text: [records.join("\n")] });
  await zones.remove(large.zone);
  await zones.sql("analyze change_record");
  const [edited, deleted] = [await zones.zone("a A 192.0.2.1"), await zones.zone("a A 192.0.2.1")];
  query.mockClear();
  const created = { create: { zone: "new.example.org", userId: zones.userId } };
  const id = await zones.idOf(edited, "a", "A");
  const update = { edit: { zone: edited, update: [{ id, rdata: "192.0.2.2" }] } };
  await zones.apply(await zones.stage([created, update, { delete: { zone: deleted } }]));
  const { change } = await zones.add("new.example.org", "b A 192.0.2.1");
  await zones.apply(await zones.stage([{ restore: { zone: deleted } }]));
  await revertChanges(zones.session(), { changeIds: [change?.id as number] });
  const texts = planned();
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts) expect([text, await readWhole(text)]).toEqual([text, []]);
});

test("only a list may read whole tables, on the same connections", async () => {
  const setting = sql<{ scans: string }>`select current_setting('enable_seqscan') as scans`;
  const db = zones.session();
  const ordinary = async () => await setting.run(db);
  expect([await ordinary(), await listRows(db, setting), await ordinary()]).toEqual(
    ["off", "on", "off"].map((scans) => [{ scans }]),
  );
});
