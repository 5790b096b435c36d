/** A name server of a test's own on the database of its service, with keys and permissions that the test sets and limits it chooses. */
import { afterAll, beforeAll } from "@jest/globals";
import type { Pool } from "pg";
import { pino } from "pino";
import type { Message } from "../../../src/dns/message/message-reader.ts";
import { type Signature, signMessage, type TsigKey } from "../../../src/dns/message/tsig.ts";
import { parseName } from "../../../src/dns/name.ts";
import type { AnswerCount } from "../../../src/nameserver/answer-counts.ts";
import type { NameserverHooks, TransferReport, TsigFailure } from "../../../src/nameserver/hooks.ts";
import { type Nameserver, type NameserverOptions, startNameserver } from "../../../src/nameserver/nameserver.ts";
import { openReaders } from "../../../src/service/database/open-database.ts";
import { secondsNow } from "../basics/clock.ts";
import { key as fuzzKey } from "../dns/message-fuzz.ts";
import type { TestService } from "./service.ts";

export const keys: Readonly<Record<string, TsigKey>> = {
  "transfer.example": { algorithm: "hmac-sha256", secret: Buffer.from("secret of the transfer key 01234") },
  "other.example": { algorithm: "hmac-sha512", secret: Buffer.from("secret of another key, for nothing") },
  "fuzz.example": fuzzKey,
  "old.example": { algorithm: "hmac-md5", secret: Buffer.from("secret of an old key") },
};

/** A message that is signed now with one of the keys, and its MAC. */
export const signedBy = (
  name: string,
  octets: Uint8Array,
  signature: Partial<Signature> = {},
  key = keys[name] as TsigKey,
) => signMessage(octets, key, { keyName: parseName(`${name}.`), time: secondsNow(), ...signature });

/** The octets of a message that is signed now by whoever may transfer. */
export const signed = (octets: Uint8Array) => signedBy("transfer.example", octets).octets;

/** The data of an answer's records in decimal, as an address is written, or its rcode. */
export const dataOf = ({ rcode, answers }: Message) =>
  rcode === 0 ? answers.map(({ rdata }) => Buffer.from(rdata).join(".")).join(" ") : `rcode ${rcode}`;

/** Adds the lines of a master file to a zone, which is created for a user where it is not there yet. */
export async function load(service: TestService, zone: string, lines: readonly string[], userId = ""): Promise<void> {
  const user = userId && `&user_id=${userId}`;
  const options = { headers: { "Content-Type": "text/dns" }, body: lines.map((line) => `${line}\n`).join("") };
  const { status, text } = await service.rest("POST", `/domain/zonefile/${zone}?mode=merge${user}`, options);
  if (status !== 200) throw new Error(text);
}

/** Writes addresses into a zone, h1 and so on, as no change. */
export const insertAddresses = (service: TestService, zone: string, count: number) =>
  service.sql(
    `insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
     select d.id, 'h' || n, 'A', 300, '192.0.2.1', '\\xc0000201', sha256('\\xc0000201')
     from domain d, generate_series(1, $2) n where d.zone = $1`,
    [zone, count],
  );

/** Limits, and hooks that take the place of those below. */
export type TestFrontOptions = Partial<Omit<NameserverOptions, "hooks">> & {
  readonly hooks?: Partial<NameserverHooks>;
};

export class TestFront {
  port = 0;
  tlsPort = 0;
  /** Called when it takes a connection of its own from the pool, as for a snapshot. */
  onSnapshot = () => {};
  readonly reports: TransferReport[] = [];
  readonly failures: TsigFailure[] = [];
  readonly logged: { msg: string; count?: number }[] = [];
  private readonly service: TestService;
  private readonly options: TestFrontOptions;
  private pool: Pool | undefined;
  private nameserver: Nameserver | undefined;

  constructor(service: TestService, options: TestFrontOptions) {
    this.service = service;
    this.options = options;
  }

  async start(): Promise<void> {
    this.pool = openReaders({ url: this.service.databaseUrl, connections: 8 });
    const { pool } = this;
    const connect = pool.connect.bind(pool);
    pool.connect = ((...args: []) => {
      if (args.length === 0) this.onSnapshot();
      return connect(...args);
    }) as Pool["connect"];
    this.nameserver = await startNameserver({
      address: "127.0.0.1",
      port: 0,
      pool,
      log: pino({ level: "info" }, { write: (line) => void this.logged.push(JSON.parse(line)) }),
      connections: 50,
      transfers: 4,
      idle: 5,
      slowReader: 5,
      weakTsig: false,
      // To it, the service of the test is another process.
      answersMaxAgeMs: 0,
      ...this.options,
      hooks: {
        tsigKey: (name) => keys[name] && { ...keys[name], name, userId: null, zones: null, owners: null, types: null },
        transferAccess: async (zone, _from, _address, key) => ({
          mayTransfer: key === "transfer.example",
          isSecondary: true,
          fitsDifferencesTo: await this.service.serial(zone).catch(() => null),
        }),
        isWithheld: () => false,
        recordTransfer: () => {},
        onTransfer: (report) => void this.reports.push(report),
        onTsigFailure: (failure) => void this.failures.push(failure),
        ...this.options.hooks,
      },
    });
    this.port = this.nameserver.port;
    this.tlsPort = this.nameserver.tlsPort ?? 0;
  }

  get counts(): readonly AnswerCount[] {
    return [...(this.nameserver?.counts.entries() ?? [])];
  }

  get dropped(): number {
    return this.nameserver?.counts.dropped ?? 0;
  }

  async stop(): Promise<void> {
    const { nameserver, pool } = this;
    this.nameserver = undefined;
    this.pool = undefined;
    await nameserver?.stop();
    await pool?.end();
  }
}

/** A name server for the whole test file, started after its service. */
export function testFront(service: TestService, options: TestFrontOptions = {}): TestFront {
  const front = new TestFront(service, options);
  beforeAll(() => front.start());
  afterAll(() => front.stop());
  return front;
}
