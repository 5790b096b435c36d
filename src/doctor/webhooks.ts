/** Reports webhooks whose receivers take no messages, and webhooks that the service has switched off. */
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Webhook } from "../webhook/webhook.ts";
import { type Finding, warning } from "./finding.ts";

const w = table(Webhook, "w");

/** The largest number of webhooks that are reported. */
const most = 5;

const columns = w.columns("name", "failingSince", "disabledReason");

export async function checkWebhooks(session: Session): Promise<Finding[]> {
  const query = sql<RowOf<typeof columns>>`
    select ${columns} from ${w}
    where (${w.enabled} and ${w.failingSince} < clock_timestamp() - interval '5 minutes') or ${w.disabledReason} is not null
    order by ${w.id} limit ${most}`;
  const rows = await query.run(session);
  return rows.map(({ name, failingSince, disabledReason }) => {
    const check = `webhook ${name}`;
    if (disabledReason !== null)
      return warning(
        check,
        `It is switched off. ${disabledReason}`,
        "switch it on again, or delete it, in the console",
      );
    return warning(
      check,
      `Its receiver has taken no message since ${failingSince?.toISOString()}.`,
      "look at its last messages in the console (Webhooks), or at webhooks { nodes { name deliveries { nodes { lastError } } } } in GraphQL",
    );
  });
}
