import { expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();

test("of zones that a secondary does not take, twenty thousand are under way; others follow in the places of those that it takes", async () => {
  const secondary = await publication.secondary();
  await publication.sql(
    "insert into domain (zone, user_id, serial) select 'z' || n || '.example', $1, 1 from generate_series(1, 20100) n",
    [publication.userId],
  );
  const publisher = publication.publish();
  const pending = (count: number) => eventually(() => expect(publisher.states()).toMatchObject([{ pending: count }]));
  await pending(20_000);
  for (let n = 1; n <= 1000; n += 1) secondary.serials.set(`z${n}.example`, 1);
  await publication.sql(
    `insert into transferred_zone (domain_id, secondary_id, serial, transferred_at, transaction_id)
    select d.id, s.id, 1, now(), pg_current_xact_id() from domain d, secondary s where zone = any($1)`,
    [[...secondary.serials.keys()]],
  );
  await pending(19_100);
});
