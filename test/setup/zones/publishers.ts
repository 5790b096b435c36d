/** The database of a test file with users, domains and secondaries, and publishers on it, as many as a test starts. */
import { expect } from "@jest/globals";
import type { MikroORM } from "@mikro-orm/postgresql";
import { pino } from "pino";
import { createTsigKey } from "../../../src/account/create-tsig-key.ts";
import { createUser } from "../../../src/account/user.ts";
import { ConnectionSupervisor } from "../../../src/database/connection-supervisor.ts";
import { type Publisher, startPublisher } from "../../../src/publisher/publisher.ts";
import { openDatabase } from "../../../src/service/database/open-database.ts";
import { system } from "../../../src/session/authorization.ts";
import type { Session } from "../../../src/session/session.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { createDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { eventually } from "../basics/eventually.ts";
import { opened } from "../basics/opened.ts";
import { freshDatabase, query } from "../database/database.ts";
import { Responder } from "../dns/responder.ts";
import { policy } from "./session.ts";

/** A row of the table sighting, without its ids. */
interface SightingRow {
  readonly zone: string;
  readonly serial: number | null;
  readonly isRefused: boolean;
  readonly provenSerial: number | null;
  readonly isUnproven: boolean;
  readonly isHeld: boolean;
  readonly seenAt: Date | null;
  readonly lastError: string | null;
  readonly term: number;
}

export class Publication {
  url = "";
  userId = 0;
  readonly logged: string[] = [];
  private orm: MikroORM | undefined;
  private readonly publishers = new Set<Publisher>();
  private readonly responders = new Set<Responder>();
  private made = 0;

  async open(): Promise<void> {
    this.url = await freshDatabase();
    const orm = await openDatabase({ url: this.url });
    this.orm = orm;
    orm.em.getEventManager().registerSubscriber({
      afterTransactionCommit: async () => {
        for (const publisher of this.publishers) publisher.nudge();
      },
    });
    this.userId = (await createUser(this.session(), "owner@example.com")).id;
  }

  async close(): Promise<void> {
    await this.stopAll();
    for (const responder of this.responders) await responder.close();
    await this.orm?.close(true);
  }

  readonly session = (): Session => {
    if (!this.orm) throw new Error("the database is not open yet");
    return { em: this.orm.em.fork(), actor: system, source: "system", policy, now: () => new Date() };
  };

  publish(): Publisher {
    const log = pino({ level: "info" }, { write: (line) => void this.logged.push(line) });
    const supervisor = new ConnectionSupervisor();
    const publisher = startPublisher({ databaseUrl: this.url, supervisor, session: this.session, log });
    this.publishers.add(publisher);
    return publisher;
  }

  async stop(publisher: Publisher): Promise<void> {
    this.publishers.delete(publisher);
    await publisher.stop();
  }

  async stopAll(): Promise<void> {
    for (const publisher of [...this.publishers]) await this.stop(publisher);
  }

  /** Ends what a test began: its publishers, its secondaries with their sightings, and its domains. */
  async clear(): Promise<void> {
    await this.stopAll();
    await this.sql("truncate secondary, domain, deleted_domain, sighting cascade");
    for (const responder of this.responders) await responder.close();
    this.responders.clear();
    this.logged.length = 0;
  }

  async sql<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row & Record<string, unknown>>(this.url, statement, values) as Promise<Row[]>;
  }

  async secondary(
    responder = new Responder(),
    fields: { notify?: boolean; tsigKeyId?: number; indirect?: boolean } = {},
  ): Promise<Responder> {
    this.made += 1;
    if (responder.port === 0) await responder.open();
    this.responders.add(responder);
    const { notify = true, tsigKeyId = null, indirect = false } = fields;
    await this.sql(
      `insert into secondary (name, address, port, notify, tsig_key_id, allow_unsigned_transfer, indirect)
      values ($1, '127.0.0.1', $2, $3, $4, $5, $6)`,
      [`s${this.made}`, responder.port, notify, tsigKeyId, tsigKeyId === null, indirect],
    );
    return responder;
  }

  /** A secondary with a TSIG key of its own, which its responder has too. */
  async keyed(): Promise<{ secondary: Responder; tsigKeyId: number; keyName: string }> {
    const keyName = `k${this.made}.key.example`;
    const { tsigKey, secret } = await createTsigKey(this.session(), keyName, "hmac-sha256");
    const secondary = new Responder();
    secondary.key = { name: keyName, key: { algorithm: "hmac-sha256", secret: Buffer.from(secret, "base64") } };
    await this.secondary(secondary, { tsigKeyId: tsigKey.id });
    return { secondary, tsigKeyId: tsigKey.id, keyName };
  }

  /** A domain of its own; returns zone and serial. */
  async domain(): Promise<{ zone: string; id: number; serial: number }> {
    this.made += 1;
    const { domain } = await createDomain(this.session(), this.userId, `d${this.made}.example.com`);
    return { zone: domain.zone, id: domain.id, serial: domain.serial };
  }

  /** Adds a record; returns the new serial. */
  async change(zone: string): Promise<number> {
    this.made += 1;
    const add = [{ owner: `h${this.made}`, type: "A", rdata: "192.0.2.1" }];
    return (await changeZone(this.session(), zone, { add })).change?.serial as number;
  }

  /** Records that a zone was transferred to a secondary at this serial, as the name server does. */
  async transferred({ port }: Responder, zone: string, serial: number): Promise<void> {
    await this.sql(
      `insert into transferred_zone as t (domain_id, secondary_id, serial, transferred_at, transaction_id)
      select d.id, s.id, $3, now(), pg_current_xact_id() from domain d, secondary s where d.zone = $1 and s.port = $2
      on conflict (domain_id, secondary_id) do update set previous_serial = t.serial, serial = excluded.serial`,
      [zone, port, serial],
    );
  }

  /** Lets a secondary serve a zone at a serial that it transferred from here. */
  async serve(secondary: Responder, zone: string, serial: number): Promise<void> {
    await this.transferred(secondary, zone, serial);
    secondary.serials.set(zone, serial);
  }

  async secondaryId(): Promise<number> {
    return (await this.sql<{ id: number }>("select id::float8 as id from secondary"))[0]?.id as number;
  }

  /** Notes that every secondary was seen, in the first term, to serve a zone at this serial of ours. */
  async sight(zone: string, serial: number): Promise<void> {
    await this.sql(
      `insert into sighting (secondary_id, domain_id, zone, serial, proven_serial, seen_at, term)
      select s.id, d.id, zone, $2::bigint, $2, now(), 1 from domain d, secondary s where zone = $1
      on conflict (secondary_id, domain_id) do update set serial = excluded.serial, proven_serial = excluded.proven_serial`,
      [zone, serial],
    );
  }

  sightings(zone: string): Promise<SightingRow[]> {
    return this.sql<SightingRow>(
      `select g.zone, g.serial::float8 as serial, g.is_refused as "isRefused", g.proven_serial::float8 as "provenSerial",
        g.is_unproven as "isUnproven", g.held_since is not null as "isHeld", g.seen_at as "seenAt",
        g.last_error as "lastError", g.term::float8 as term from sighting g join secondary s on s.id = g.secondary_id
      where g.zone = $1 order by s.port, g.domain_id`,
      [zone],
    );
  }

  async term(): Promise<number> {
    return (await this.sql<{ term: number }>("select term::float8 as term from publisher_term"))[0]?.term as number;
  }
}

export const testPublication = () => opened(new Publication());

/** Expects the one secondary's sighting of a zone, sooner or later. */
export function sighted(publication: Publication, zone: string, row: Partial<SightingRow>): Promise<void> {
  return eventually(async () => expect((await publication.sightings(zone))[0]).toMatchObject(row));
}
