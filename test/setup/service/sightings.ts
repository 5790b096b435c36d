/** Secondaries that were registered and are not there: what was seen of them is written into the table as the publisher would. */
import type { TestService } from "./service.ts";

/** What is seen of a zone at a secondary; `serial` is the zone's own unless it is given. */
interface Sight {
  readonly serial?: number | null;
  readonly refused?: boolean;
  /** Whether it is not proven to be ours. */
  readonly unproven?: boolean;
  readonly error?: string;
}

export class Sightings {
  private readonly service: TestService;
  private made = 0;

  constructor(service: TestService) {
    this.service = service;
  }

  /** Registers a secondary that has joined; returns its id. */
  async secondary(name: string, input: Record<string, unknown> = {}): Promise<string> {
    this.made += 1;
    const all = { name, address: "127.0.0.9", port: 20_000 + this.made, notify: false, ...input };
    const { id } = (await this.service.mutate("createSecondary", all, "secondary { id }")).secondary;
    await this.service.sql("update secondary set joined_at = created_at where id = $1", [id]);
    return id;
  }

  /** Writes what is seen of a domain, by its id, which may be deleted; under a term that no publisher reaches in a test. */
  async see(secondary: string, domain: string, { serial, refused = false, unproven = false, error }: Sight = {}) {
    await this.service.sql(
      `insert into sighting (secondary_id, domain_id, zone, serial, proven_serial, serial_at, is_refused, is_unproven, seen_at, last_error, term)
      select $1, x.id, x.zone, v.serial, v.serial, now(), $5, $6, now(), $7, 1000000
      from (select id, zone, serial from domain union all select id, zone, serial from deleted_domain) x,
        lateral (select case when $3 then $4::bigint else x.serial end as serial) v where x.id = $2
      on conflict (secondary_id, domain_id) do update set serial = excluded.serial, proven_serial = excluded.proven_serial,
        serial_at = excluded.serial_at, is_refused = excluded.is_refused, is_unproven = excluded.is_unproven, seen_at = excluded.seen_at, last_error = excluded.last_error, term = excluded.term`,
      [secondary, domain, serial !== undefined || refused, serial ?? null, refused, unproven, error ?? null],
    );
  }

  /** Lets a secondary, the zone and its changes be so many seconds old. */
  async age(zone: string, seconds: number): Promise<void> {
    const earlier = `created_at = created_at - make_interval(secs => $1)`;
    await this.service.sql(`update secondary set ${earlier}, joined_at = joined_at - make_interval(secs => $1)`, [
      seconds,
    ]);
    await this.service.sql(`update change set ${earlier} where zone = $2`, [seconds, zone]);
    await this.service.sql(`update domain set ${earlier} where zone = $2`, [seconds, zone]);
  }

  /** A catalog, which the secondaries may follow; returns its id. */
  async catalog(): Promise<string> {
    const made = await this.service.sql<{ id: string }>(
      `insert into domain (zone, user_id, serial) values ('catalog.zonesmith', null, 1)
      on conflict (zone) do update set serial = domain.serial returning id::text as id`,
    );
    return made[0]?.id ?? "";
  }
}
