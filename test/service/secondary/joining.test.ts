import { expect, test } from "@jest/globals";
import { noteJoined } from "../../../src/secondary/registry.ts";
import { RowLock } from "../../setup/service/row-lock.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();

test("a secondary that is moved to another address while it is found to have all zones has not joined", async () => {
  const secondary = await publication.secondary();
  const { zone, serial } = await publication.domain();
  await publication.sight(zone, serial);
  await publication.sql("update domain set created_at = created_at - interval '1 day'");
  await publication.sql("update change set created_at = created_at - interval '1 day'");
  const id = await publication.secondaryId();
  const move = await RowLock.take(publication.url, zone);
  await move.run("update secondary set port = $1 + 1, joined_at = null", [secondary.port]);
  await move.run("delete from sighting");
  const joined = noteJoined(publication.session(), [id]);
  await move.waiters(1);
  await move.release("commit");
  expect(await joined).toEqual([]);
  expect(await publication.sql("select from secondary where joined_at is not null")).toEqual([]);
  await publication.sight(zone, serial);
  expect(await noteJoined(publication.session(), [id])).toHaveLength(1);
});
