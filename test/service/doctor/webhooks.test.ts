/** What doctor says of webhooks. */
import { expect, test } from "@jest/globals";
import { checkWebhooks } from "../../../src/doctor/webhooks.ts";
import { query } from "../../setup/database/database.ts";
import { testZones } from "../../setup/zones/session.ts";

const database = testZones();

test("a webhook whose receiver takes nothing is a warning, and so is one that was switched off; others are not", async () => {
  const insert = `insert into webhook (name, url, events, secret, is_sealed, enabled, failing_since, disabled_reason, created_at,
      after_change_id, after_event_id)
    select name, 'https://hooks.invalid/', '{domain.created}', '\\x00', false, reason is null, since, reason, now(), 0, 0 from (values
      ('works', null::timestamptz, null::text), ('began to fail', now(), null), ('fails', now() - interval '1 hour', null),
      ('gone', now() - interval '1 day', 'The receiver answered 410: it wants no more messages.')
    ) as rows (name, since, reason)`;
  await query(database.url, insert);
  const findings = await checkWebhooks(database.session());
  expect(findings.map(({ check, level }) => [check, level])).toEqual([
    ["webhook fails", "WARNING"],
    ["webhook gone", "WARNING"],
  ]);
  expect(findings[1]?.finding).toContain("answered 410");
});
