/** The stream of all zones: what it shows where changes are not known one by one, as after a long failure of the database. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Pool } from "pg";
import { createUser } from "../../../src/account/user.ts";
import { eventsOfAllZones } from "../../../src/secondary/domain-events.ts";
import { openReaders } from "../../../src/service/database/open-database.ts";
import { system } from "../../../src/session/authorization.ts";
import { journalTail, queryOf } from "../../../src/zone/journal-tail.ts";
import { withMomentsAhead } from "../../setup/basics/clock.ts";
import { Publication } from "../../setup/zones/publishers.ts";

const publication = new Publication();
let pool: Pool;
/** Whether each read of the tail finds another history, so that it hands out nothing. */
let isOther = false;

beforeAll(async () => {
  await publication.open();
  pool = openReaders({ url: publication.url, connections: 1 });
  const run = queryOf(pool);
  journalTail(publication.session(), async (text, values) => (isOther && values.length > 0 ? [] : run(text, values)));
});
afterAll(async () => {
  await pool.end();
  await publication.close();
});

test("a change that the journal did not hand out comes all the same", async () => {
  const gone = new AbortController();
  const events = eventsOfAllZones(publication.session(), 1, { gone: gone.signal, confirm: async () => {} });
  const comes = async ({ zone }: { zone: string }) => {
    for (;;) if ((await events.next()).value.change.zone === zone) return;
  };
  await comes(await publication.domain());
  await comes(await publication.domain());
  isOther = true;
  await comes(await publication.domain());
  isOther = false;
  await comes(await publication.domain());
  gone.abort();
  await events.return(undefined);
});

test("a client that stops reading gets no event of a zone that it no longer sees, and none once its key is revoked", async () => {
  const zones: string[] = [];
  for (let at = 0; at < 5; at += 1) zones.push((await publication.domain()).zone);
  const [first, second, lost, fourth] = zones;
  const { id: other } = await createUser(publication.session(), "other@example.com");
  const session = { ...publication.session(), actor: { ...system, role: "user", userId: publication.userId } } as const;
  let isRevoked = false;
  const confirm = async () => {
    if (isRevoked) throw new Error("revoked");
  };
  const events = eventsOfAllZones(session, 1, { gone: new AbortController().signal, confirm });
  const next = async () => (await events.next()).value.change.zone;
  while ((await next()) !== first);
  await publication.sql("update domain set user_id = $1 where zone = $2", [other, lost]);
  await withMomentsAhead(60_000, async () => expect([await next(), await next()]).toEqual([second, fourth]));
  isRevoked = true;
  await withMomentsAhead(120_000, () => expect(next()).rejects.toThrow("revoked"));
});
