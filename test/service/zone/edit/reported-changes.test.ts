/**
 * A change is reported to the session when it is committed, once, by every way in which a zone is changed; what is rolled back is not.
 */
import { expect, test } from "@jest/globals";
import type { Session } from "../../../../src/session/session.ts";
import { rolledBack, transaction } from "../../../../src/sql/transaction.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteDomain } from "../../../../src/zone/edit/lifecycle.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { fieldsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const edit = (session: Session, zone: string, line: string) => changeZone(session, zone, { add: [fieldsOf(line)] });

/** What is reported while something is done. */
async function reported(act: (session: Session, reports: readonly string[]) => Promise<unknown>): Promise<string[]> {
  const reports: string[] = [];
  const session = {
    ...zones.session(),
    onChange: ({ door, kind }: { door: string; kind: string }) => void reports.push(`${door} ${kind}`),
  };
  await act(session, reports);
  return reports;
}

test("every kind of change is reported once", async () => {
  const shown = await reported(async (session) => {
    await createDomain(session, zones.userId, "reported.example");
    await edit(session, "reported.example", "a A 192.0.2.1");
    await importZone(
      { ...session, door: "import" },
      { zone: "reported.example", text: ["b 300 IN A 192.0.2.1\n"], mode: "MERGE" },
    );
    await deleteDomain(session, "reported.example");
  });
  expect(shown).toEqual(["graphql CREATE", "graphql EDIT", "import EDIT", "graphql DELETE"]);
});

test("in a transaction it is reported after the commit, also of a transaction inside", async () => {
  const zone = await zones.zone();
  const shown = await reported((session, reports) =>
    transaction(session, async (outer) => {
      await transaction(outer, (inner) => edit(inner, zone, "a A 192.0.2.1"));
      await edit(outer, zone, "b A 192.0.2.1");
      expect(reports).toEqual([]);
    }),
  );
  expect(shown).toEqual(["graphql EDIT", "graphql EDIT"]);
});

test("what is refused, changes nothing, is a dry run or is rolled back is not reported", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  const shown = await reported(async (session) => {
    await expect(edit(session, zone, "a A 192.0.2.1")).rejects.toMatchObject({ code: "DUPLICATE_RECORD" });
    await changeZone(session, zone, { add: [fieldsOf("b A 192.0.2.1")] }, { dryRun: true });
    await importZone(session, { zone, text: ["c 300 IN A 192.0.2.1\n"], mode: "MERGE", dryRun: true });
    await rolledBack(session, (inner) => edit(inner, zone, "d A 192.0.2.1"));
    await transaction(session, async (outer) => {
      await transaction(outer, async (inner) => {
        await edit(inner, zone, "e A 192.0.2.1");
        throw new Error("the transaction inside is rolled back");
      }).catch(() => {});
    });
  });
  expect(shown).toEqual([]);
});
