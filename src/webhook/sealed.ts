/**
 * The secrets of webhooks that are encrypted with SECRET_KEY, for backups.
 */
import { sql } from "kysely";
import { connection, type Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { readSecret } from "./secret.ts";
import { Webhook } from "./webhook.ts";

const w = table(Webhook, "w");

/** How many webhooks have secrets that are encrypted. */
export async function sealedWebhookCount(session: Session): Promise<number> {
  const query = sql<{ count: number }>`select count(*)::int as count from ${w} where ${w.isSealed}`;
  return (await query.execute(connection(session))).rows[0]?.count ?? 0;
}

/** The webhooks whose secrets are encrypted with another SECRET_KEY than the present one, as `webhook` and their names. */
export async function unreadableWebhooks(session: Session): Promise<readonly string[]> {
  const query = sql<{ id: number; name: string; secret: Buffer }>`
    select ${w.columns("id", "name", "secret")} from ${w} where ${w.isSealed} order by ${w.id}`;
  const { rows } = await query.execute(connection(session));
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
