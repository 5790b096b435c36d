/** The reconciler of the catalog on sessions: what it compares after removals that are held back. */
import { expect, test } from "@jest/globals";
import { pino } from "pino";
import { CatalogReconciler } from "../../../src/publisher/catalog-reconciler.ts";
import { catalogHold, catalogRows, removedMembers } from "../../../src/secondary/catalog-zone.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { administrator, testZones } from "../../setup/zones/session.ts";

const zones = testZones();

test("zones whose removal is held back are compared with those of each later change", async () => {
  const names = Array.from({ length: 12 }, (_, at) => `held${at}.example.net`);
  for (const name of names) await zones.create(name);
  const session = () => zones.session();
  const catalog = new CatalogReconciler({ session, log: pino({ level: "silent" }), onChanged: () => {} });
  const [members, removals] = [
    async () => (await catalogRows(zones.session(administrator)))[0]?.members,
    async () => (await catalogHold(zones.session(administrator)))?.removals,
  ];
  try {
    catalog.trigger();
    await eventually(async () => (await members()) === 12);
    for (const name of names) await zones.remove(name);
    catalog.trigger(names);
    await eventually(async () => (await removals()) === 12);
    // Its removal alone would need no confirmation.
    const later = await zones.zone();
    catalog.trigger([later]);
    await eventually(async () => (await members()) === 13);
    await zones.remove(later);
    catalog.trigger([later]);
    await eventually(async () => (await removals()) === 13);
    expect(await removedMembers(zones.session(administrator))).toEqual([...names, later].toSorted());
  } finally {
    await catalog.stop();
  }
});
