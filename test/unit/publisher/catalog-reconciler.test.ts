import { expect, test } from "@jest/globals";
import { pino } from "pino";
import { CatalogReconciler } from "../../../src/publisher/catalog-reconciler.ts";
import { withMomentsAhead } from "../../setup/basics/clock.ts";

test("a comparison of all zones with the catalog is due an hour after the last one, once that has ended", async () => {
  const session = () => {
    throw new Error("there is no database here");
  };
  const catalog = new CatalogReconciler({ session, log: pino({ level: "silent" }), onChanged: () => {} });
  const due: boolean[] = [];
  const look = async () => void due.push(catalog.isDue);
  await look();
  catalog.trigger();
  await withMomentsAhead(3_601_000, look);
  await catalog.stop();
  for (const ms of [0, 3_599_000, 3_601_000]) await withMomentsAhead(ms, look);
  expect(due).toEqual([true, false, false, false, true]);
});
