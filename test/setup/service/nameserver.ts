/**
 * A name server of a test's own on the database of its service, with keys and permissions that the test sets and limits it chooses.
 */
import { afterAll, beforeAll } from "@jest/globals";
import type { Pool } from "pg";
import { pino } from "pino";
import { signMessage, type TsigKey } from "../../../src/dns/message/tsig.ts";
import { parseName } from "../../../src/dns/name.ts";
import type { AnswerCount } from "../../../src/nameserver/answer-counts.ts";
import type { NameserverHooks, TransferReport, TsigFailure } from "../../../src/nameserver/hooks.ts";
import { type Nameserver, type NameserverOptions, startNameserver } from "../../../src/nameserver/nameserver.ts";
import { openReaders } from "../../../src/service/database.ts";
import { secondsNow } from "../basics/clock.ts";
import { key as fuzzKey } from "../dns/message-fuzz.ts";
import type { TestService } from "./service.ts";

export const keys: Readonly<Record<string, TsigKey>> = {
  "transfer.example": { algorithm: "hmac-sha256", secret: Buffer.from("secret of the transfer key 01234") },
  "other.example": { algorithm: "hmac-sha512", secret: Buffer.from("secret of another key, for nothing") },
  "fuzz.example": fuzzKey,
  "old.example": { algorithm: "hmac-md5", secret: Buffer.from("secret of an old key") },
};

/** A message signed with one of these keys. */
export const signed = (octets: Uint8Array, name = "transfer.example"): Uint8Array =>
  signMessage(octets, keys[name] as TsigKey, { keyName: parseName(`${name}.`), time: secondsNow() }).octets;

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

  /** The answers that it counted. */
  get counts(): readonly AnswerCount[] {
    return [...(this.nameserver?.counts.entries() ?? [])];
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
