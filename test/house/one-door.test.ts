/** One door: records, serials and the journal are stored in one place, by whichever way a change comes. */
import { expect, test } from "@jest/globals";
import { sourceFiles as files, sourceGraph as graph, readSource } from "./imports.ts";

test("every change of a zone ends in finish-change.ts, which alone stores records, serials and the journal", () => {
  const importersOf = (target: string) =>
    [...graph].filter(([, imports]) => imports.includes(target)).map(([file]) => file);
  expect(importersOf("zone/edit/store-change.ts")).toEqual(["zone/edit/finish-change.ts"]);
  expect(importersOf("zone/edit/finish-change.ts").toSorted()).toEqual([
    "changeset/apply/apply-batch.ts",
    "changeset/check/check-zone.ts",
    "zone/edit/change-zone.ts",
    "zone/edit/edit-and-check.ts",
    "zone/lifecycle/domain-lifecycle.ts",
    "zone/master-file/import.ts",
  ]);
  // The journal of earlier versions had other shapes.
  const reshaped = ["20261122230000-versions", "20261124041000-applied-by", "20261125170000-soa-serial"];
  expect(files.filter((file) => writesZones(readSource(file)))).toEqual([
    ...reshaped.map((name) => `migrations/${name}.ts`),
    "zone/edit/change-statement.ts",
    "zone/edit/store-change.ts",
    // Removes what is old.
    "zone/history/prune-history.ts",
  ]);
});

/** Whether a text writes records, the journal, or a domain's serial, in SQL or by entities. */
function writesZones(text: string): boolean {
  const statements = withTableNames(text);
  return (
    /(insert\s+into|update|delete\s+from)\s+"?(zone_record|change|change_record)\b/i.test(statements) ||
    /update\s+"?domain\b[^`]*\bserial\b/i.test(statements) ||
    /\bem\.(create|insert|upsert|native)\w*\((ZoneRecord|Change|ChangeRecord)\b/.test(text) ||
    /\bnativeUpdate\(Domain\b[^;]*\bserial\b|\.serial = /.test(text)
  );
}

/** A text with the name of the table for each reference to it, such as `${d}` after `const d = table(Domain, "d")`. */
function withTableNames(text: string): string {
  const tables = { Domain: "domain", ZoneRecord: "zone_record", Change: "change", ChangeRecord: "change_record" };
  const references = [...text.matchAll(/(\w+) = table\((\w+)/g)];
  return references.reduce(
    (named, [, reference, entity]) =>
      named.replaceAll(`\${${reference}}`, tables[entity as keyof typeof tables] ?? "another_table"),
    text,
  );
}

test("a statement that writes records or serials elsewhere is seen", () => {
  const references = 'const d = table(Domain, "d");\nconst r = table(ZoneRecord);\n';
  const wrong = [
    "sql`delete from zone_record where id = 1`",
    "sql`update domain d\n set serial = 1`",
    `${references}sql\`delete from \${r} where \${r.id} = 1\``,
    `${references}sql\`update \${d} set \${d.names("serial")} = 1\``,
    "em.create(ZoneRecord, { owner })",
    "em.nativeUpdate(Domain, { id }, { serial: 1 })",
    "domain.serial = 1;",
  ];
  expect(wrong.filter((text) => !writesZones(text))).toEqual([]);
  const right = [
    "sql`update domain set user_id = 1`",
    `${references}sql\`update \${d} set \${d.names("userId")} = 1\``,
    "em.nativeUpdate(Domain, { user: from }, { user: to })",
  ];
  expect(right.filter(writesZones)).toEqual([]);
});
