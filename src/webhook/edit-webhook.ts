/** Creates, changes and deletes webhooks. A user's key does so for its user, and only for zones that it may use. */
import { isIP } from "node:net";
import { mayGrantZones } from "../account/api-key.ts";
import { expectRoom, holdUser } from "../account/user.ts";
import { parseZoneName } from "../dns/name.ts";
import { noSuch, Refusal } from "../errors.ts";
import type { EventName } from "../outbox/event-kinds.ts";
import { mayActFor, mayWrite } from "../session/authorization.ts";
import { parseField } from "../session/parse-field.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { arrayLiteral } from "../sql/text-array.ts";
import { AllowedAddresses, refusalOf } from "./address.ts";
import { newSecret, readSecret, secretText, storedSecret } from "./secret.ts";
import { seesWebhook, Webhook, type WebhookRow, webhookById, webhookColumns } from "./webhook.ts";

const w = table(Webhook, "w");
const plain = table(Webhook);

interface WebhookFields {
  readonly name: string;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly zones?: readonly string[] | undefined;
}

/** A new webhook. Without a user it is an administrator's, and receives the events of all users. */
interface NewWebhook extends WebhookFields {
  readonly userId?: number | undefined;
}

export interface WithSecret {
  readonly webhook: WebhookRow;
  readonly secret: string;
}

const maxOfUser = 20;

/** The last ids of changes and of events in the outbox, committed or not. */
const lastChangeId = sql`coalesce(pg_sequence_last_value('change_id_seq'::regclass), 0)`;
const lastEventId = sql`coalesce(pg_sequence_last_value('outbox_event_id_seq'::regclass), 0)`;

/** Creates a webhook, which receives the events from now on. */
export async function createWebhook(session: Session, fields: NewWebhook): Promise<WithSecret> {
  const { actor } = session;
  mayWrite(actor);
  const userId = fields.userId ?? actor.userId ?? null;
  if (userId !== null) mayActFor(actor, userId, "userId");
  const { name, url, events, zones } = readFields(session, fields);
  mayGrantZones(actor, zones);
  return transaction(session, async (inner) => {
    if (userId !== null) await holdUser(inner, userId);
    if (actor.userId !== null) {
      const rows = sql`${w} where ${w.userId} = ${actor.userId}`;
      await expectRoom(inner, actor.userId, { rows, most: maxOfUser, what: "webhooks; delete one that is not needed" });
    }
    const next = sql<{ id: number }>`select nextval('webhook_id_seq') as id`;
    const { id } = (await next.run(inner))[0] as { id: number };
    const secret = newSecret();
    const { secretKey } = session.policy;
    const stored = storedSecret(secret, id, secretKey);
    const names = sql`${plain.names("id", "userId", "name", "url", "events", "zones", "enabled", "secret", "isSealed")},
      ${plain.names("afterChangeId", "afterEventId", "createdAt")}`;
    const insert = sql`
      insert into ${plain} (${names}) values (${id}, ${userId}, ${name}, ${url}, ${arrayLiteral(events)}::text[],
        ${zones ? arrayLiteral(zones) : null}::text[], true, ${stored}, ${secretKey !== ""}, ${lastChangeId}, ${lastEventId}, ${session.now()})`;
    await insert.run(inner);
    return { webhook: await webhookById(inner, id), secret: secretText(secret) };
  });
}

/** New values of a webhook. An undefined field stays; `zones` null means all zones. */
interface WebhookUpdate extends Partial<Omit<WebhookFields, "zones">> {
  readonly zones?: readonly string[] | null | undefined;
  readonly enabled?: boolean | undefined;
}

/** Changes a webhook. When it is switched on again, it receives the messages that waited and the events from then on. */
export async function updateWebhook(session: Session, id: number, update: WebhookUpdate): Promise<WebhookRow> {
  mayWrite(session.actor);
  return transaction(session, async (inner) => {
    const stored = await lockWebhook(inner, id);
    const { enabled = stored.enabled } = update;
    const zones = update.zones === undefined ? stored.zones : update.zones;
    const fields = { ...{ name: stored.name, url: stored.url, events: stored.events }, ...present(update) };
    const read = readFields(session, { ...fields, zones: zones ?? undefined });
    if (update.zones !== undefined) mayGrantZones(session.actor, read.zones);
    const { name, url } = read;
    const isSwitchedOn = enabled && !stored.enabled;
    await setValues(inner, id, {
      ...{ name, url, enabled, events: sql`${arrayLiteral(read.events)}::text[]` },
      zones: sql`${read.zones ? arrayLiteral(read.zones) : null}::text[]`,
      ...(isSwitchedOn && { disabledReason: null, failures: 0, failingSince: null }),
      ...(isSwitchedOn && { afterChangeId: lastChangeId, afterEventId: lastEventId }),
    });
    return webhookById(inner, id);
  });
}

const present = ({ name, url, events }: WebhookUpdate) =>
  Object.fromEntries(Object.entries({ name, url, events }).filter(([, value]) => value !== undefined));

/** The longest time for which the previous secret stays valid beside the new one, hours. */
export const maxOverlapHours = 168;

/** Gives a webhook a new secret; for `overlapHours` messages are signed with the previous secret too. */
export async function rotateWebhookSecret(session: Session, id: number, overlapHours: number): Promise<WithSecret> {
  mayWrite(session.actor);
  return transaction(session, async (inner) => {
    const { secret: stored, isSealed } = await lockWebhook(inner, id);
    const { secretKey } = session.policy;
    const secret = newSecret();
    // The previous secret is stored again in the same way as the new one (sealed or not), since SECRET_KEY may have been set or removed in
    // the meantime.
    const previous = overlapHours > 0 ? storedSecret(readSecret(stored, isSealed, id, secretKey), id, secretKey) : null;
    await setValues(inner, id, {
      ...{ secret: storedSecret(secret, id, secretKey), isSealed: secretKey !== "", previousSecret: previous },
      previousSecretUntil: previous && new Date(session.now().getTime() + overlapHours * 3_600_000),
    });
    return { webhook: await webhookById(inner, id), secret: secretText(secret) };
  });
}

export async function deleteWebhook(session: Session, id: number): Promise<void> {
  mayWrite(session.actor);
  await transaction(session, async (inner) => {
    await lockWebhook(inner, id);
    await sql`delete from ${w} where ${w.id} = ${id}`.run(inner);
  });
}

const lockedColumns = webhookColumns.and(w.columns("secret", "isSealed"));

/** Locks a webhook until the transaction ends, and returns it with its secret; throws NOT_FOUND when the session does not see it. */
async function lockWebhook(session: Session, id: number): Promise<RowOf<typeof lockedColumns>> {
  const query = sql<RowOf<typeof lockedColumns>>`
    select ${lockedColumns} from ${w} where ${w.id} = ${id} and ${seesWebhook(session.actor)} for update`;
  const [row] = await query.run(session);
  if (!row) throw noSuch("webhook", id, "webhookId");
  return row;
}

type Column = Parameters<typeof w.names>[0];

async function setValues(session: Session, id: number, values: { readonly [Name in Column]?: unknown }): Promise<void> {
  const assignments: Sql[] = Object.entries(values).map(([name, value]) => sql`${w.names(name as Column)} = ${value}`);
  await sql`update ${w} set ${sql.join(assignments)} where ${w.id} = ${id}`.run(session);
}

const maxZones = 100;

function readFields(session: Session, { name, url, events, zones }: WebhookFields): WebhookFields {
  if (events.length === 0) throw invalid("events", "write one event at least");
  if (zones && (zones.length === 0 || zones.length > maxZones))
    throw invalid("zones", `there are ${zones.length}; write 1 to ${maxZones}, or none for all`);
  return {
    name,
    url: readUrl(session, url),
    events: [...new Set(events)],
    zones: zones && [...new Set(zones.map((zone, at) => parseField(`zones.${at}`, () => parseZoneName(zone))))],
  };
}

export const maxUrlLength = 2000;

/** Returns the URL; throws INVALID_VALUE when messages may not be sent to it. The addresses of its name are checked at each delivery. */
function readUrl({ policy: { privateWebhookAddresses } }: Session, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid("url", "write a URL such as https://example.com/hooks/zonesmith");
  if (url.protocol === "http:" && privateWebhookAddresses.length === 0)
    throw invalid("url", "write https; http is for addresses that the operator allows by WEBHOOK_PRIVATE_ADDRESSES");
  if (url.username !== "" || url.password !== "")
    throw invalid("url", "leave out user and password; messages are signed, so that the receiver knows who sent them");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = new AllowedAddresses(privateWebhookAddresses);
  const isLocal = isIP(host) === 0 && /(^|\.)localhost\.?$/.test(host);
  const isAllowed = url.protocol === "http:" ? addresses.isPrivate(host) : addresses.has(host);
  if ((isIP(host) !== 0 && !isAllowed) || (isLocal && privateWebhookAddresses.length === 0))
    throw invalid("url", refusalOf(host).slice(0, -1));
  url.hash = "";
  return url.href;
}

const invalid = (field: string, advice: string) => new Refusal("INVALID_VALUE", `${field}: ${advice}.`, { field });
