/** Switches off the webhooks of a restored backup, since the original installation may still send to them. */

import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Webhook } from "./webhook.ts";

const w = table(Webhook, "w");

const reason =
  "It was restored from a backup; switch it on when this installation is the one in use. The waiting messages are sent then, perhaps a second time.";

/** Switches all webhooks off; returns how many were on. */
export async function switchOffRestored(session: Session): Promise<number> {
  const query = sql<{ count: number }>`
    with switched as (
      update ${w} set ${w.names("enabled")} = false, ${w.names("disabledReason")} = ${reason} where ${w.enabled} returning ${w.id}
    )
    select count(*)::int as count from switched`;
  return (await query.run(session))[0]?.count ?? 0;
}
