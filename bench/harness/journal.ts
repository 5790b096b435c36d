/**
 * The past of many zones, whose addresses were edited again and again; what secondaries serve of them; refused updates; the audit of all
 * this; change sets.
 */
import type pg from "pg";

/** Adds `changes` changes over the last 90 days to the zones of `load`, in turn; every change but the first of a zone ends one version. */
export async function makeJournal(db: pg.Client, changes: number): Promise<void> {
  // Without statistics for the new rows PostgreSQL would join them by nested loops.
  await db.query("set enable_nestloop = off");
  await db.query(
    `with zone as materialized (
      select id, zone, row_number() over (order by id) - 1 as n from domain
    ), series as materialized (
      select i, i % zones as n, i / zones as round from generate_series(0, $1::int - 1) i, (select count(*) as zones from domain) z
    )
    insert into change (domain_id, zone, kind, previous_serial, serial, actor, door, note, created_at)
    select id, zone, case when round = 0 then 'CREATE' else 'EDIT' end, case when round > 0 then 2026010100 + round end,
      2026010101 + round, 'key-' || i % 50 || ' (' || left(md5((i % 50)::text), 8) || ')',
      (array['graphql', 'rest', 'console', 'update'])[1 + i % 4], case when i % 3 = 0 then 'release ' || i / 1000 end,
      now() - interval '90 days' * ($1::int - i) / $1::int
    from series join zone using (n) order by i`,
    [changes],
  );
  await db.query(`
    update domain d set serial = c.serial
    from (select domain_id, max(serial) as serial from change group by 1) c where c.domain_id = d.id`);
  await db.query(`
    with host as materialized (
      select distinct on (domain_id) * from zone_record where type = 'A' order by domain_id, id desc
    ), step as (
      select id, domain_id, lag(id) over (partition by domain_id order by id) as before from change
    )
    insert into change_record (change_id, ordinal, domain_id, record_id, since, since_ordinal, owner, type, ttl, rdata, wire)
    select step.id, 0, step.domain_id, host.id, step.before, 0, owner, type, ttl, '192.0.2.' || step.id % 256, wire
    from step join host on host.domain_id = step.domain_id where step.before is not null`);
  await db.query(`
    update change c set undoes = step.before
    from (select id, lag(id) over (partition by domain_id order by id) as before from change) step
    where step.id = c.id and c.id % 5 = 0`);
  await db.query(`
    update zone_record r set change_id = case when r.id = host.id then c.last else c.first end
    from (select domain_id, min(id) as first, max(id) as last from change group by 1) c
    join (select domain_id, max(id) as id from zone_record where type = 'A' group by 1) host using (domain_id)
    where r.domain_id = c.domain_id`);
  await db.query("reset enable_nestloop");
  await db.query("vacuum analyze");
}

/** Three secondaries that serve every zone, except that one of them is behind with forty. */
export async function makeSightings(db: pg.Client): Promise<void> {
  await db.query(`
    insert into secondary (name, address, port, notify, joined_at, created_at)
    select 'ns' || n, '127.0.0.' || 100 + n, 9, false, now() - interval '30 days', now() - interval '90 days'
    from generate_series(1, 3) n`);
  await db.query(`
    insert into sighting (secondary_id, domain_id, zone, serial, serial_at, proven_serial, seen_at, term)
    select s.id, d.id, d.zone, d.serial, now(), d.serial, now(), 1000000 from secondary s, domain d`);
  await db.query(`
    update sighting g set serial = serial - 1, proven_serial = proven_serial - 1
    from (select id from domain order by id limit 40) d
    where d.id = g.domain_id and secondary_id = (select min(id) from secondary)`);
  await db.query("vacuum analyze");
}

/** Refused updates of the last eight hours, 100,000 in all; every hour has two of half the zones. */
export async function makeRefusals(db: pg.Client): Promise<void> {
  await db.query(`
    insert into update_refusal (domain_id, zone, code, rcode, reason, address, protocol, key_name, asked, created_at)
    select d.id, d.zone, 'FORBIDDEN', 'REFUSED', 'because', '192.0.2.1', 'udp', 'key-' || n % 50, '{}',
      now() - interval '25 minutes' * n
    from (select * from domain order by id limit 5000) d, generate_series(1, 20) n order by n desc`);
  await db.query("vacuum analyze update_refusal");
}

/** The audit of every change, and 20,000 sign-ins, work on keys and refused operations of the same 90 days. */
export async function makeAudit(db: pg.Client): Promise<void> {
  await db.query(`
    insert into audit_entry (created_at, actor, door, address, operation, code, zone, change_id, user_id)
    select * from (
      select c.created_at, c.actor, c.door, null as address, 'changeRecords' as operation, null as code, c.zone, c.id, d.user_id
      from change c join domain d on d.id = c.domain_id
      union all
      select now() - interval '90 days' * (20000 - n) / 20000, 'key-' || n % 50, 'console', '192.0.2.1',
        (array['signIn', 'createApiKey', 'updateRecord', 'setUserQuota'])[1 + n % 4], case when n % 4 = 2 then 'FORBIDDEN' end,
        null, null, (select min(id) from "user") + 16 * (n % 100)
      from generate_series(1, 20000) n
    ) entry order by created_at`);
  await db.query("vacuum analyze audit_entry");
}

/** 10,000 change sets: a tenth each in review and cancelled, the others applied; every hundredth change is of one of these. */
export async function makeChangeSets(db: pg.Client): Promise<void> {
  await db.query(`
    insert into change_set (title, description, author, state, mode, revision, requested_approvals, created_at, updated_at)
    select 'set ' || n, '', 'key-' || n % 50, case n % 10 when 0 then 'IN_REVIEW' when 1 then 'CANCELLED' else 'APPLIED' end, 'ALL', 1, 1,
      now() - interval '90 days' * (10000 - n) / 10000, now() - interval '90 days' * (10000 - n) / 10000
    from generate_series(1, 10000) n`);
  await db.query(`
    update change c set change_set_id = s.id
    from (select id, row_number() over (order by id) - 1 as n from change) o
    join (select id, row_number() over (order by id) - 1 as n from change_set where state = 'APPLIED') s
      on s.n = o.n / 100 * 8000 / (select count(*) / 100 from change)
    where o.id = c.id and o.n % 100 = 0`);
  await db.query("vacuum analyze change, change_set");
}
