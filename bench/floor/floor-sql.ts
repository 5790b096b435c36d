/**
 * The longer statements of the floor. Its writes store the same rows as the service, including the journal, each in one statement that is
 * its own transaction, and check no rules.
 */

/** Domains that meet a condition, each with its owner and its first records: one row for each record. */
export const nested = (condition: string, records: number) => `
  select d.id, d.zone, d.serial, u.id as "userId", u.email, r.id as "recordId", r.owner, r.type, r.ttl, r.rdata
  from domain d join "user" u on u.id = d.user_id cross join lateral (
    select * from zone_record r where r.domain_id = d.id order by r.position, r.id limit ${records}
  ) r
  ${condition} order by d.zone, r.position, r.id`;

const serialWire = (serial: string) => `substring(int8send(${serial}) from 5)`;

/** $1 zone, $2 owner, $3 type, $4 ttl, $5 rdata, $6 wire: adds a record, increments the serial, writes the journal. */
export const addText = `
  with d as (update domain set serial = serial + 1 where zone = $1 returning id, zone, serial),
  old_soa as (select r.* from zone_record r where r.domain_id = (select id from domain where zone = $1) and r.owner = '@' and r.type = 'SOA'),
  new_soa as (
    select o.id, regexp_replace(o.rdata, '^(\\S+ \\S+) \\d+', '\\1 ' || d.serial) as rdata,
      overlay(o.wire placing ${serialWire("d.serial")} from length(o.wire) - 19) as wire
    from old_soa o, d
  ),
  c as (
    insert into change (domain_id, zone, kind, previous_serial, serial, actor, door, created_at)
    select id, zone, 'EDIT', serial - 1, serial, 'floor', 'graphql', now() from d returning id
  ),
  stored_soa as (
    update zone_record r set rdata = n.rdata, wire = n.wire, digest = sha256(n.wire), change_id = c.id, change_ordinal = 2
    from new_soa n, c where r.id = n.id
  ),
  added as (
    insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest, change_id, change_ordinal)
    select d.id, $2, $3, $4::int, $5, $6::bytea, sha256($6::bytea), c.id, 3 from d, c returning id
  ),
  journal as (
    insert into change_record (change_id, ordinal, domain_id, record_id, since, since_ordinal, owner, type, ttl, rdata, wire)
    select c.id, 1, o.domain_id, o.id, o.change_id, o.change_ordinal, o.owner, o.type, o.ttl, o.rdata, o.wire from c, old_soa o
  )
  select added.id, d.serial, c.id as "changeId" from added, d, c`;

/** $1 zone, $2 id of the user, $3 wire form of the zone's name: creates a domain with the default records, writes the journal. */
export const createText = `
  with d as (insert into domain (zone, user_id, serial) values ($1, $2, 2026010101) returning id, zone, serial),
  born as (
    select '@' as owner, 'SOA' as type, 'ns1.zonesmith.example. hostmaster.zonesmith.example. ' || d.serial || ' 10800 3600 1209600 3600' as rdata,
      '\\x036e7331097a6f6e65736d697468076578616d706c65000a686f73746d6173746572097a6f6e65736d697468076578616d706c6500'::bytea
        || ${serialWire("d.serial")} || '\\x00002a3000000e100012750000000e10'::bytea as wire
    from d
    union all select '@', 'NS', 'ns1.zonesmith.example.', '\\x036e7331097a6f6e65736d697468076578616d706c6500'
    union all select '@', 'NS', 'ns2.zonesmith.example.', '\\x036e7332097a6f6e65736d697468076578616d706c6500'
    union all select 'www', 'CNAME', $1 || '.', $3::bytea
  ),
  c as (
    insert into change (domain_id, zone, kind, serial, actor, door, created_at)
    select id, zone, 'CREATE', serial, 'floor', 'graphql', now() from d returning id
  ),
  added as (
    insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest, change_id, change_ordinal)
    select d.id, b.owner, b.type, 3600, b.rdata, b.wire, sha256(b.wire), c.id, row_number() over () from d, born b, c
  )
  select d.id, d.serial, c.id as "changeId" from d, c`;

/** $1 zone, $2 ids, $3 rdata, $4 wires: changes records, increments the serial, writes the journal. */
export const changeText = `
  with d as (update domain set serial = serial + 1 where zone = $1 returning id, zone, serial),
  old as (
    select r.*, row_number() over () as ordinal from zone_record r
    where r.domain_id = (select id from domain where zone = $1) and (r.id = any($2::bigint[]) or (r.owner = '@' and r.type = 'SOA'))
  ),
  edits as (
    select * from unnest($2::bigint[], $3::text[], $4::bytea[]) as e(id, rdata, wire)
    union all
    select o.id, regexp_replace(o.rdata, '^(\\S+ \\S+) \\d+', '\\1 ' || d.serial),
      overlay(o.wire placing ${serialWire("d.serial")} from length(o.wire) - 19)
    from old o, d where o.type = 'SOA'
  ),
  c as (
    insert into change (domain_id, zone, kind, previous_serial, serial, actor, door, created_at)
    select id, zone, 'EDIT', serial - 1, serial, 'floor', 'graphql', now() from d returning id, serial
  ),
  stored as (
    update zone_record r set rdata = e.rdata, wire = e.wire, digest = sha256(e.wire), change_id = c.id, change_ordinal = o.ordinal + 101
    from edits e, old o, c where r.id = e.id and o.id = e.id
  ),
  journal as (
    insert into change_record (change_id, ordinal, domain_id, record_id, since, since_ordinal, owner, type, ttl, rdata, wire)
    select c.id, o.ordinal, o.domain_id, o.id, o.change_id, o.change_ordinal, o.owner, o.type, o.ttl, o.rdata, o.wire from c, old o
  )
  select id, serial from c`;

/** $1 text: the first records whose data contains it. */
export const searchText = (limit: number) => `
  select r.id, r.owner, r.type, r.ttl, r.rdata, d.zone from zone_record r join domain d on d.id = r.domain_id
  where lower(r.rdata) like '%' || lower($1) || '%' order by d.zone, r.position, r.id limit ${limit}`;

/** $1 the id before the page: 1,000 records of the large zone in the order of creation. */
export const recordsText = `
  select r.id, r.owner, r.type, r.ttl, r.rdata from zone_record r
  where r.domain_id = (select id from domain where zone = 'large.example') and r.id > $1 order by r.id limit 1001`;

/** The wire form of a name. */
export const nameWire = (name: string) =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
