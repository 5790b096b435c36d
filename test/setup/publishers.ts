/**
 * The database of a test file with users, domains and secondaries, and publishers on it, as many as a test starts.
 */
import { afterAll, beforeAll, expect } from "@jest/globals";
import type { MikroORM } from "@mikro-orm/postgresql";
import { pino } from "pino";
import { createUser } from "../../src/account/user.ts";
import { ConnectionSupervisor } from "../../src/connection-supervisor.ts";
import { openDatabase } from "../../src/database.ts";
import { type Publisher, startPublisher } from "../../src/publisher/publisher.ts";
import { system } from "../../src/session/authorization.ts";
import type { Session } from "../../src/session/session.ts";
import { changeZone } from "../../src/zone/edit/change-zone.ts";
import { createDomain } from "../../src/zone/edit/lifecycle.ts";
import { dropDatabase, freshDatabase, query } from "./database.ts";
import { eventually } from "./eventually.ts";
import { Responder } from "./responder.ts";
import { policy } from "./session.ts";

/** A row of the table sighting, without its ids. */
export interface SightingRow {
  readonly zone: string;
  readonly serial: number | null;
  readonly isRefused: boolean;
  readonly isAhead: boolean;
  readonly seenAt: Date | null;
  readonly lastError: string | null;
  readonly term: number;
}

export class Publication {
  url = "";
  userId = 0;
  /** What the publishers logged. */
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
    await dropDatabase(this.url);
  }

  readonly session = (): Session => {
    if (!this.orm) throw new Error("the database is not open yet");
    return { em: this.orm.em.fork(), actor: system, door: "system", policy, now: () => new Date() };
  };

  /** Starts a publisher. */
  publish(): Publisher {
    const log = pino({ level: "info" }, { write: (line) => void this.logged.push(line) });
    const publisher = startPublisher({
      databaseUrl: this.url,
      supervisor: new ConnectionSupervisor(),
      session: this.session,
      log,
    });
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

  /** A secondary that the responder answers for. */
  async secondary(
    responder = new Responder(),
    fields: { notify?: boolean; tsigKeyId?: number } = {},
  ): Promise<Responder> {
    this.made += 1;
    if (responder.port === 0) await responder.open();
    this.responders.add(responder);
    await this.sql(
      "insert into secondary (name, address, port, notify, tsig_key_id) values ($1, '127.0.0.1', $2, $3, $4)",
      [`s${this.made}`, responder.port, fields.notify ?? true, fields.tsigKeyId ?? null],
    );
    return responder;
  }

  /** A domain of its own; answers zone and serial. */
  async domain(): Promise<{ zone: string; id: number; serial: number }> {
    this.made += 1;
    const { domain } = await createDomain(this.session(), this.userId, `d${this.made}.example.com`);
    return { zone: domain.zone, id: domain.id, serial: domain.serial };
  }

  /** Adds a record; answers the new serial. */
  async change(zone: string): Promise<number> {
    this.made += 1;
    const add = [{ owner: `h${this.made}`, type: "A", rdata: "192.0.2.1" }];
    return (await changeZone(this.session(), zone, { add })).change?.serial as number;
  }

  async sightings(zone: string): Promise<SightingRow[]> {
    const rows = await this.sql<SightingRow>(
      `select g.zone, g.serial::float8 as serial, g.is_refused as "isRefused", g.is_ahead as "isAhead", g.seen_at as "seenAt",
        g.last_error as "lastError", g.term::float8 as term from sighting g join secondary s on s.id = g.secondary_id
      where g.zone = $1 order by s.port, g.domain_id`,
      [zone],
    );
    return rows;
  }

  async term(): Promise<number> {
    return (await this.sql<{ term: number }>("select term::float8 as term from publisher_term"))[0]?.term as number;
  }
}

/** A database for the whole test file. */
export function testPublication(): Publication {
  const publication = new Publication();
  beforeAll(() => publication.open(), 30_000);
  afterAll(() => publication.close(), 30_000);
  return publication;
}

/** Expects the one secondary's sighting of a zone, sooner or later. */
export function sighted(publication: Publication, zone: string, row: Partial<SightingRow>): Promise<void> {
  return eventually(async () => expect((await publication.sightings(zone))[0]).toMatchObject(row));
}
