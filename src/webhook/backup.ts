/** The webhooks of backups: their sealed secrets, and their state after a restore. */
import { canUnseal } from "../account/sealed-secret.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { ownerOf } from "./secret.ts";
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
  const isReadable = ({ id, secret }: (typeof rows)[number]) =>
    canUnseal(secret, session.policy.secretKey, ownerOf(id));
  return rows.filter((row) => !isReadable(row)).map(({ name }) => `webhook ${name}`);
}

const reason =
  "It was restored from a backup; switch it on when this installation is the one in use. The waiting messages are sent then, perhaps a second time.";

/** Switches off all webhooks of a restored backup, since the original installation may still send to them; returns how many were on. */
export async function switchOffRestored(session: Session): Promise<number> {
  const query = sql<{ count: number }>`
    with switched as (
      update ${w} set ${w.names("enabled")} = false, ${w.names("disabledReason")} = ${reason} where ${w.enabled} returning ${w.id}
    )
    select count(*)::int as count from switched`;
  return (await query.run(session))[0]?.count ?? 0;
}
