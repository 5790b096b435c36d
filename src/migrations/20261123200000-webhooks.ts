import { Migration } from "@mikro-orm/migrations";

/** Webhooks, what is to be delivered to them, and the outbox of events that the journal does not have. */
export class Migration20261123200000 extends Migration {
  override up(): void {
    for (const [name, remainder] of [
      ["webhook", 13],
      ["webhook_delivery", 14],
    ] as const) {
      const sequence = `"${name}_id_seq"`;
      this.addSql(`create sequence ${sequence} increment 16 minvalue 1000000000000000 maxvalue 9007199254740991`);
      this.addSql(`select setval('${sequence}', (select "origin" + ${remainder} from "id_origin"), false)`);
    }
    this.addSql(`create table "webhook" ("id" bigint not null default nextval('"webhook_id_seq"') primary key, "user_id" bigint null,
      "name" text not null, "url" text not null, "events" text[] not null, "zones" text[] null, "enabled" boolean not null,
      "disabled_reason" text null, "secret" bytea not null, "previous_secret" bytea null, "previous_until" timestamptz null,
      "is_sealed" boolean not null, "after_change_id" bigint not null, "after_event_id" bigint not null, "failures" int not null default 0,
      "failing_since" timestamptz null, "created_at" timestamptz not null)`);
    this.addSql(`alter sequence "webhook_id_seq" owned by "webhook"."id"`);
    this.addSql(
      `alter table "webhook" add constraint "webhook_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete cascade`,
    );
    this.addSql(`create index "webhook_user_id_index" on "webhook" ("user_id")`);

    this.addSql(`create table "webhook_delivery" ("id" bigint not null default nextval('"webhook_delivery_id_seq"') primary key,
      "webhook_id" bigint not null, "message_id" text not null, "event" text not null, "zone" text collate "C" not null,
      "payload" text not null, "created_at" timestamptz not null, "retry_until" timestamptz not null, "attempts" int not null default 0,
      "attempted_at" timestamptz null, "last_status" int null, "last_error" text null, "delivered_at" timestamptz null,
      "dead_at" timestamptz null)`);
    this.addSql(`alter sequence "webhook_delivery_id_seq" owned by "webhook_delivery"."id"`);
    this.addSql(
      `alter table "webhook_delivery" add constraint "webhook_delivery_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on delete cascade`,
    );
    this.addSql(`create index "webhook_delivery_webhook_id_index" on "webhook_delivery" ("webhook_id", "id")`);
    this.addSql(
      `create index "webhook_delivery_waiting_index" on "webhook_delivery" ("webhook_id", "zone", "id") where "delivered_at" is null and "dead_at" is null`,
    );
    this.addSql(
      `create index "webhook_delivery_dead_index" on "webhook_delivery" ("webhook_id", "id") where "dead_at" is not null`,
    );
    this.addSql(
      `create index "webhook_delivery_ended_index" on "webhook_delivery" ((coalesce("delivered_at", "dead_at"))) where "delivered_at" is not null or "dead_at" is not null`,
    );

    this.addSql(`create table "webhook_queue" ("webhook_id" bigint not null, "zone" text collate "C" not null,
      "next_at" timestamptz not null, "claimed_until" timestamptz null, primary key ("webhook_id", "zone"))`);
    this.addSql(
      `alter table "webhook_queue" add constraint "webhook_queue_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on delete cascade`,
    );
    this.addSql(`create index "webhook_queue_next_at_index" on "webhook_queue" ("webhook_id", "next_at")`);

    this.addSql(`create table "webhook_position" ("id" int not null primary key, "change_id" bigint not null)`);
    this.addSql(`insert into "webhook_position" ("id", "change_id") values (1, 0)`);

    this.addSql(`create table "awaited_publication" ("change_id" bigint not null primary key, "is_late" boolean not null default false,
      "since" timestamptz not null, "next_at" timestamptz not null)`);
    this.addSql(`create index "awaited_publication_next_at_index" on "awaited_publication" ("next_at")`);

    // They come and go: the order of these ids is all that they say.
    this.addSql(`create sequence "outbox_event_id_seq" minvalue 1000000000000000 maxvalue 9007199254740991`);
    this.addSql(`create table "outbox_event" ("id" bigint not null default nextval('"outbox_event_id_seq"') primary key, "event" text not null, "user_id" bigint null,
      "former_user_id" bigint null, "zone" text null, "zones" text[] null, "domain_id" bigint null, "after_change_id" bigint null,
      "data" jsonb not null, "created_at" timestamptz not null)`);
    this.addSql(`alter sequence "outbox_event_id_seq" owned by "outbox_event"."id"`);
  }
}
