import { Migration } from "@mikro-orm/migrations";

/**
 * The journal keeps what ended: a record names the change that began it, and `change_record` holds the versions of records that were
 * edited or removed, each with the changes that began and ended it. Rows of what was added go.
 *
 * Until now the journal did not say which record a row was of. A version was begun by the last change before that added the same
 * content. It is taken for one of the record that has this content now, the SOA for one of the zone's; others get ids of their own.
 */
export class Migration20261122230000 extends Migration {
  override up(): void {
    this.addSql(`create temporary table journal on commit drop as
      select c.domain_id, j.change_id, j.ordinal, j.removed, j.owner collate "C" as owner, j.type collate "C" as type, j.ttl, j.rdata, j.wire,
        case when j.type = 'SOA' and j.owner = '@' then '' else j.rdata end as identity,
        case when not lag(j.removed) over content then lag(j.change_id) over content end as since,
        case when not lag(j.removed) over content then lag(j.ordinal) over content end as since_ordinal
      from "change_record" j join "change" c on c.id = j.change_id
      window content as (partition by c.domain_id, j.owner, j.type, j.rdata order by j.change_id, j.removed desc, j.ordinal)`);
    this.addSql(`analyze journal`);

    this.addSql(
      `alter table "zone_record" add column "change_id" bigint not null default 0, add column "change_ordinal" int not null default 0`,
    );
    this.addSql(`update "zone_record" r set "change_id" = j.change_id, "change_ordinal" = j.ordinal
      from (
        select distinct on (domain_id, owner, type, rdata) domain_id, owner, type, rdata, change_id, ordinal from journal
        where not removed order by domain_id, owner, type, rdata, change_id desc
      ) j
      where r.domain_id = j.domain_id and r.owner = j.owner and r.type = j.type and r.rdata = j.rdata`);
    this.addSql(`create index "zone_record_created_index" on "zone_record" ("domain_id", "id")`);
    this.addSql(`create index "zone_record_begun_index" on "zone_record" ("domain_id", "change_id", "change_ordinal")`);

    this.addSql(`create temporary table identities on commit drop as
      select i.*, coalesce(r.id, nextval('"zone_record_id_seq"')) as record_id
      from (select distinct domain_id, owner, type, identity from journal where removed) i
      left join "zone_record" r on r.domain_id = i.domain_id and r.owner = i.owner and r.type = i.type
        and case when r.type = 'SOA' and r.owner = '@' then '' else r.rdata end = i.identity`);
    this.addSql(`analyze identities`);
    this.addSql(`drop table "change_record"`);
    this.addSql(`create table "change_record" ("change_id" bigint not null, "ordinal" int not null, "domain_id" bigint not null,
      "record_id" bigint not null, "since" bigint not null, "since_ordinal" int not null, "owner" text collate "C" not null,
      "type" text collate "C" not null, "ttl" int not null, "rdata" text not null, "wire" bytea not null)`);
    this.addSql(`insert into "change_record"
      select j.change_id, j.ordinal, domain_id, i.record_id, coalesce(j.since, 0), coalesce(j.since_ordinal, 0), owner, type, j.ttl, j.rdata, j.wire
      from journal j join identities i using (domain_id, owner, type, identity) where j.removed order by j.change_id, j.ordinal`);
    this.addSql(`alter table "change_record" add constraint "change_record_pkey" primary key ("change_id", "ordinal")`);
    this.addSql(`alter table "change_record" add constraint "change_record_since_check" check (since < change_id)`);
    this.addSql(`create index "change_record_ended_index" on "change_record" ("domain_id", "change_id", "since")`);
    this.addSql(`create index "change_record_begun_index" on "change_record" ("domain_id", "since", "since_ordinal")`);
    this.addSql(`drop table journal, identities`);
  }
}
