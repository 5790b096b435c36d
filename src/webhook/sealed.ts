/** Counts and checks the secrets of webhooks that are encrypted with SECRET_KEY, for backups. */

import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { readSecret } from "./secret.ts";
import { Webhook } from "./webhook.ts";

const webhooks = table(Webhook);
const w = table(Webhook, "w");

/** Returns how many webhooks have encrypted secrets; 0 in a database of a version without webhooks. */
export async function sealedWebhookCount(session: Session): Promise<number> {
  const table = sql<{ isThere: boolean }>`select to_regclass(${String(webhooks)}) is not null as "isThere"`;
  if (!(await table.run(session))[0]?.isThere) return 0;
  const query = sql<{ count: number }>`select count(*)::int as count from ${w} where ${w.isSealed}`;
  return (await query.run(session))[0]?.count ?? 0;
}

/** Returns the webhooks with secrets that the present SECRET_KEY does not decrypt, as `webhook` and their names. */
export async function unreadableWebhooks(session: Session): Promise<readonly string[]> {
  const query = sql<{ id: number; name: string; secret: Buffer }>`
    select ${w.columns("id", "name", "secret")} from ${w} where ${w.isSealed} order by ${w.id}`;
  const rows = await query.run(session);
  const isUnreadable = ({ id, secret }: (typeof rows)[number]) => {
    try {
      readSecret(secret, true, id, session.policy.secretKey);
      return false;
    } catch {
      return true;
    }
  };
  return rows.filter(isUnreadable).map(({ name }) => `webhook ${name}`);
}
