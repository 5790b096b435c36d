/**
 * The outbox: events that are not in the journal of changes. Each is stored in the transaction of its cause, so that neither exists
 * without the other. The leader removes an event once it has made its deliveries (src/webhook). Only `noteEvents` writes the outbox.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { Session } from "../session/session.ts";
import { type EntityRow, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { TextArrayType } from "../sql/text-array.ts";
import type { EventName } from "./event-kinds.ts";

@Entity({ tableName: "outbox_event" })
export class OutboxEvent {
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @Property({ type: "text" })
  event!: EventName;

  /** The user whom the event concerns; null for administrators alone. */
  @Property({ type: new BigIntType("number"), nullable: true })
  userId?: number | null;

  @Property({ type: new BigIntType("number"), nullable: true })
  formerUserId?: number | null;

  /** The zone whose events this event is delivered in order with; null for an event of no zone or of several zones. */
  @Property({ type: "text", nullable: true })
  zone?: string | null;

  /**
   * The zones that the event is about: only a receiver that may know all of them gets it. Null: only a receiver that may know all zones.
   */
  @Property({ type: new TextArrayType(), nullable: true })
  zones?: string[] | null;

  @Property({ type: new BigIntType("number"), nullable: true })
  domainId?: number | null;

  /** The last change of the domain before this event. The event is delivered after it. Null when the event has no such order. */
  @Property({ type: new BigIntType("number"), nullable: true })
  afterChangeId?: number | null;

  @Property({ type: "json", columnType: "jsonb" })
  data!: Readonly<Record<string, unknown>>;

  @Property({ type: "datetime", columnType: "timestamptz" })
  createdAt!: Date;
}

export type OutboxRow = EntityRow<OutboxEvent>;

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

/** Stores events in the session's transaction, which is the transaction of their cause. */
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
