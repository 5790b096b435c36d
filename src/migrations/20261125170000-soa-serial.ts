import { Migration } from "@mikro-orm/migrations";

/**
 * The serial of a zone is in its domain and its changes alone: the rows of SOAs, of records and of versions, hold 0. A version of an SOA
 * that differs from the next one in its serial alone is joined with that one.
 */
export class Migration20261125170000 extends Migration {
  override up(): void {
    // The serial is in the four octets before the last sixteen.
    const wire = `overlay("wire" placing '\\x00000000'::bytea from octet_length("wire") - 19 for 4)`;
    const isSoa = `"owner" = '@' and "type" = 'SOA'`;
    // A run of versions that follow one another with the same content; its last one may be the present one, whose end is null.
    this.addSql(`create temporary table "soa_run" on commit drop as
      with soas as (
        select domain_id, since, since_ordinal, change_id, ordinal, ttl, ${wire} as data from "change_record" where ${isSoa}
        union all
        select domain_id, change_id, change_ordinal, null, null, ttl, ${wire} from "zone_record" where ${isSoa}
      ), compared as (
        select *, (ttl, data, since) is distinct from (lag(ttl) over zone, lag(data) over zone, lag(change_id) over zone) as begins
        from soas window zone as (partition by domain_id order by since, change_id nulls last)
      ), numbered as (
        select *, count(*) filter (where begins) over (partition by domain_id order by since, change_id nulls last) as run from compared
      )
      select domain_id, change_id, ordinal, since as began, first_value(since) over run as since, first_value(since_ordinal) over run as since_ordinal,
        row_number() over (partition by domain_id, run order by since desc, change_id desc nulls first) = 1 as is_last
      from numbered window run as (partition by domain_id, run order by since, change_id nulls last)`);
    this.addSql(`delete from "change_record" v using "soa_run" s
      where not s.is_last and v.change_id = s.change_id and v.ordinal = s.ordinal`);
    // A staged edit names the version that it is of by the change that began it.
    this.addSql(`update "change_set_edit" e set "base_change_id" = s.since from "change_set_zone" z, "soa_run" s
      where z.change_set_id = e.change_set_id and z.zone = e.zone and s.domain_id = z.domain_id
        and e.owner = '@' and e.type = 'SOA' and e.base_change_id = s.began`);
    const data = `"rdata" = regexp_replace("rdata", ' \\d+ ', ' 0 '), "wire" = ${wire}`;
    this.addSql(`update "change_record" v set ${data}, "since" = s.since, "since_ordinal" = s.since_ordinal from "soa_run" s
      where s.is_last and v.change_id = s.change_id and v.ordinal = s.ordinal`);
    // The canonical form has names in lower case; no octet before a label, its length, is a letter.
    const names = `decode(lower(encode(substr("wire", 1, octet_length("wire") - 20), 'escape') collate "C"), 'escape')`;
    const numbers = `substr(${wire}, octet_length("wire") - 19)`;
    this.addSql(`update "zone_record" r set ${data}, "digest" = sha256(${names} || ${numbers}),
        "change_id" = s.since, "change_ordinal" = s.since_ordinal from "soa_run" s
      where s.change_id is null and r.domain_id = s.domain_id and ${isSoa}`);
  }
}
