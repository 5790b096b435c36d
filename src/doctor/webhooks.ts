/** Webhooks whose receivers do not take messages, or that were switched off without their owners. */

import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Webhook } from "../webhook/webhook.ts";
import { type Finding, warning } from "./finding.ts";

const w = table(Webhook, "w");

/** So many are named. */
const named = 5;

const failing = w.columns("name", "failingSince", "disabledReason");

/** A webhook that fails for longer than a few attempts take. */
interface Failing {
  readonly name: string;
  readonly failingSince: Date | null;
  readonly disabledReason: string | null;
}

export async function checkWebhooks(session: Session): Promise<Finding[]> {
  const query = sql<Failing>`
    select ${failing} from ${w}
    where (${w.enabled} and ${w.failingSince} < clock_timestamp() - interval '5 minutes') or ${w.disabledReason} is not null
    order by ${w.id} limit ${named}`;
  const rows = await query.run(session);
  return rows.map(({ name, failingSince, disabledReason }) =>
    disabledReason === null
      ? warning(
          `webhook ${name}`,
          `Its receiver has taken no message since ${failingSince?.toISOString()}.`,
          "look at its last messages in the console (Webhooks), or at webhooks { nodes { name deliveries { nodes { lastError } } } } in GraphQL",
        )
      : warning(
          `webhook ${name}`,
          `It is switched off. ${disabledReason}`,
          "switch it on again, or delete it, in the console",
        ),
  );
}
