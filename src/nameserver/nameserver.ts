/**
 * The name server, on UDP and TCP of one address and port, and on TLS of another port. It never recurses, and writes nothing: `update`
 * handles updates.
 */

import type { Pool } from "pg";
import type { Logger } from "pino";
import { type Reads, readsOf } from "../database/point-reads.ts";
import { type ListenSettings, listenFailure } from "../net/listen-failure.ts";
import { type JournalFollower, JournalTail, queryOf } from "../zone/journal-tail.ts";
import { AnswerCache } from "./answer-cache.ts";
import { AnswerCounts } from "./answer-counts.ts";
import type { ServerDeps } from "./dispatch.ts";
import { TransferTurns } from "./fair-turns.ts";
import type { NameserverHooks } from "./hooks.ts";
import { RateLimitedLog } from "./rate-limited-log.ts";
import type { RequestContext } from "./request-context.ts";
import { TcpServer } from "./tcp.ts";
import type { TlsOptions } from "./tls.ts";
import { UdpServer } from "./udp.ts";
import { Freshness } from "./zone/freshness.ts";
import { ZoneCopies } from "./zone/zone-copies.ts";
import { ZoneMessages } from "./zone/zone-messages.ts";

/** Times are seconds. The pool needs a few more connections than `transfers`. */
export interface NameserverOptions {
  readonly address: string;
  readonly port: number;
  /** 0 chooses a free port. */
  readonly tls?: (TlsOptions & { readonly port: number }) | undefined;
  readonly transfersNeedTls?: boolean;
  readonly pool: Pool;
  readonly reads?: Reads;
  /** For the checks of kept answers, which must not wait behind the questions that they save; by default read through `pool`. */
  readonly journal?: JournalTail;
  readonly hooks: NameserverHooks;
  readonly log: Logger;
  readonly connections: number;
  readonly transfers: number;
  readonly idle: number;
  readonly slowReader: number;
  /** Whether hmac-sha1 and hmac-md5 are accepted. */
  readonly weakTsig: boolean;
  /** How long kept answers are sent without a check, ms. */
  readonly answersMaxAgeMs?: number;
  readonly update?: (request: RequestContext) => Promise<Uint8Array>;
}

export type Nameserver = Awaited<ReturnType<typeof startNameserver>>;

/** To find a port that is free on both UDP and TCP. */
const maxTries = 20;

const settings: ListenSettings = { protocol: "DNS", port: "DNS_PORT", address: "DNS_LISTEN" };
const tlsSettings: ListenSettings = { protocol: "DNS over TLS", port: "DNS_TLS_PORT", address: "DNS_LISTEN" };

/** When it cannot listen, throws an error of one line that names the setting to change. */
export async function startNameserver(options: NameserverOptions) {
  const { address, pool, hooks, log, weakTsig } = options;
  const reads = options.reads ?? readsOf(pool);
  const journal = options.journal ?? new JournalTail(queryOf(pool));
  let follower: JournalFollower | undefined;
  const committed = async () => {
    follower ??= await journal.follow();
    return follower.read();
  };
  const freshness = new Freshness({ committed, maxAgeMs: options.answersMaxAgeMs });
  const deps: ServerDeps = {
    pool,
    reads,
    hooks,
    transfers: new TransferTurns(options.transfers),
    slowReaderMs: options.slowReader * 1000,
    zoneMessages: new ZoneMessages(),
    freshness,
    answers: new AnswerCache(freshness),
    counts: new AnswerCounts(),
    copies: new ZoneCopies(freshness, reads),
    refusals: new RateLimitedLog(log, "more DNS requests were refused than are logged"),
    log,
    weakTsig,
    transfersNeedTls: options.transfersNeedTls ?? false,
    update: options.update,
    now: () => Math.floor(Date.now() / 1000),
  };
  await freshness.start();
  const { tcp, udp, bound } = await listen(deps, options);
  const tlsPort = options.tls && (await listenTls(deps, tcp, udp, address, options.tls));
  // Called after a commit of this process and before its acknowledgement: earlier answers are not sent any more.
  const noteCommit = () => freshness.noteCommit();
  return { address, port: bound, tlsPort, counts: deps.counts, noteCommit, stop: () => stop(deps, tcp, udp) };
}

/** Listens on UDP and TCP at one port. */
async function listen(deps: ServerDeps, { address, port, connections, idle, slowReader }: NameserverOptions) {
  const limits = { connections, idleMs: idle * 1000, slowReaderMs: slowReader * 1000 };
  for (let tries = port === 0 ? maxTries : 1; ; tries -= 1) {
    const tcp = new TcpServer(deps, limits);
    try {
      const bound = await tcp.listen(address, port);
      const udp = new UdpServer(deps, address);
      await udp.listen(address, bound);
      return { tcp, udp, bound };
    } catch (error) {
      await tcp.stop();
      const { code } = error as NodeJS.ErrnoException;
      if (tries === 1 || code !== "EADDRINUSE") throw new Error(listenFailure(code, port, address, settings));
    }
  }
}

async function listenTls(
  deps: ServerDeps,
  tcp: TcpServer,
  udp: UdpServer,
  address: string,
  tls: TlsOptions & { readonly port: number },
): Promise<number> {
  try {
    return await tcp.listenTls(address, tls.port, tls);
  } catch (error) {
    await stop(deps, tcp, udp);
    throw new Error(listenFailure((error as NodeJS.ErrnoException).code, tls.port, address, tlsSettings));
  }
}

async function stop({ refusals }: ServerDeps, tcp: TcpServer, udp: UdpServer): Promise<void> {
  await Promise.all([tcp.stop(), udp.stop()]);
  refusals.flush();
}
