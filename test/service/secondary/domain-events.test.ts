/** The stream of all zones: what it shows where changes are not known one by one, as after a long failure of the database. */
import { afterAll, beforeAll, test } from "@jest/globals";
import type { Pool } from "pg";
import { eventsOfAllZones } from "../../../src/secondary/domain-events.ts";
import { openReaders } from "../../../src/service/database.ts";
import { journalTail, queryOf } from "../../../src/zone/journal-tail.ts";
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
