/**
 * The outbox: events that the journal of changes does not have, written in the transaction of what they are about, so that there is
 * none without the other. The leader takes them out when it has made deliveries of them (src/webhook). Only noteEvents writes it.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { Session } from "../session/session.ts";
import { type EntityRow, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { TextArrayType } from "../sql/text-array.ts";
import type { EventName } from "./event-kinds.ts";

/** An event that no deliveries were made of yet. */
@Entity({ tableName: "outbox_event" })
export class OutboxEvent {
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @Property({ type: "text" })
  event!: EventName;

  /** The user whom it concerns; null of none: it is for administrators alone. */
  @Property({ type: new BigIntType("number"), nullable: true })
  userId?: number | null;

  /** Another user whom it concerns, who had the domain before. */
  @Property({ type: new BigIntType("number"), nullable: true })
  formerUserId?: number | null;

  /** The zone among whose events it has its place; null of an event of no zone, or of several. */
  @Property({ type: "text", nullable: true })
  zone?: string | null;

  /** The zones that it is about: it is for who may know of all of them. Null: for who may know of all zones. */
  @Property({ type: new TextArrayType(), nullable: true })
  zones?: string[] | null;

  /** The domain that it gave to another user; null of another event. */
  @Property({ type: new BigIntType("number"), nullable: true })
  domainId?: number | null;

  /** The last change of its domain before it, after which it is delivered; null where there is no such order. */
  @Property({ type: new BigIntType("number"), nullable: true })
  afterChangeId?: number | null;

  @Property({ type: "json", columnType: "jsonb" })
  data!: Readonly<Record<string, unknown>>;

  @Property({ type: "datetime", columnType: "timestamptz" })
  createdAt!: Date;
}

/** An event of the outbox as it is read. */
export type OutboxRow = EntityRow<OutboxEvent>;

/** An event to note. */
export interface NewEvent {
  readonly event: EventName;
  readonly userId: number | null;
  readonly formerUserId?: number | null;
  readonly zone?: string;
  readonly zones?: readonly string[] | null;
  readonly domainId?: number;
  readonly afterChangeId?: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const o = table(OutboxEvent);

/** Notes events in the session's transaction, which is that of what they are about. */
export async function noteEvents(session: Session, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(
    ({ event, userId, formerUserId = null, zone = null, zones, domainId, afterChangeId, data }) => ({
      ...{ event, user: userId, former: formerUserId, zone, zones: zones ?? (zone === null ? null : [zone]) },
      ...{ domain: domainId ?? null, after: afterChangeId ?? null, data, at: session.now() },
    }),
  );
  const insert = sql`
    insert into ${o} (${o.names("event", "userId", "formerUserId", "zone", "zones", "domainId", "afterChangeId", "data", "createdAt")})
    select event, "user", former, zone, case when zones is not null then array(select json_array_elements_text(zones)) end,
      domain, "after", data, at
    from json_to_recordset(${JSON.stringify(rows)}::json) as (event text, "user" bigint, former bigint, zone text, zones json,
      domain bigint, "after" bigint, data jsonb, at timestamptz)`;
  await insert.run(session);
}
