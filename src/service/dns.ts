/** The name server of the running service: its database connections, its dependencies from other rooms, and dynamic updates. */
import type { Logger } from "pino";
import { knownTsigKey } from "../account/known-tsig-key.ts";
import type { Config } from "../config/config.ts";
import type { PoolCounts } from "../database/connection-supervisor.ts";
import { pipelinedReads, pointReadSettings } from "../database/point-reads.ts";
import { UpdateHandler } from "../nameserver/dynamic-update.ts";
import type { NameserverHooks } from "../nameserver/hooks.ts";
import { type Nameserver, startNameserver } from "../nameserver/nameserver.ts";
import type { Certificate } from "../net/certificate.ts";
import type { TransferPeer } from "../secondary/peer.ts";
import { isWithheld } from "../secondary/restore.ts";
import {
  noteTransfer,
  noteTsigError,
  secondaryAddresses,
  type Transfer,
  transferAccess,
} from "../secondary/transfer-access.ts";
import { recordTransfer } from "../secondary/transferred-zone.ts";
import type { PrimaryTls } from "../session/operator-policy.ts";
import { journalTail, queryOf } from "../zone/journal-tail.ts";
import type { Common } from "./common.ts";
import { openReaders } from "./database/open-database.ts";
import { urlOf } from "./database/start-database.ts";
import { LatestNotes } from "./latest-notes.ts";
import { SecondaryAddresses } from "./secondary-addresses.ts";
import type { ServiceDatabase } from "./service-database.ts";
import type { Sessions } from "./sessions.ts";

/** Connections for statements that cannot be pipelined, besides one for each transfer. */
const queryConnections = 4;

/** Pipelined connections for queries, and the time limit of a query's statement, ms. */
const pipelinedConnections = 2;
const statementTimeoutMs = 2000;

/** The pause between two writes of the last transfer to a secondary, ms. */
const transferNotePauseMs = 250;

/** How long further rejected signatures of a source are only logged, after one was stored, ms. */
const failureNotePauseMs = 5000;

export async function startDns(
  common: Common,
  { orm, replicas }: ServiceDatabase,
  sessions: Sessions,
): Promise<Nameserver> {
  const { config, log, metrics, resources, shutdown } = common;
  const { supervisor } = shutdown;
  const certificate = common.certificates.dns;
  const connections = config.DNS_TRANSFERS + queryConnections;
  const pool = openReaders({ url: urlOf(orm), connections, supervisor });
  supervisor.pools.set("dns", pool as unknown as PoolCounts);
  const pipeline = await replicas.open({
    url: urlOf(orm),
    supervisor,
    connections: pipelinedConnections,
    statementTimeoutMs,
    settings: pointReadSettings,
  });
  const journalPool = openReaders({ url: urlOf(orm), connections: 1, supervisor });
  const journal = journalTail(sessions.asSystem(), queryOf(journalPool));
  resources.defer(async () => void (await Promise.all([pool.end(), journalPool.end(), pipeline.close()])));
  // Two thirds of the ORM's connections are left to the other fronts.
  const maxConcurrent = Math.max(1, Math.floor(config.DATABASE_POOL / 3));
  const updates = new UpdateHandler({
    session: () => sessions.asSystem("update"),
    log,
    maxConcurrent,
    onRefused: (code) => metrics.count("zonesmith_refusals_total", { front: "update", code }),
  });
  const secondaries = new SecondaryAddresses({ load: () => secondaryAddresses(sessions.asSystem()) });
  await secondaries.refresh();
  const transfers = transferNotes(sessions, log);
  resources.defer(() => transfers.stop());
  const needsClientCertificate = config.DNS_TLS_CLIENT_CA !== "";
  const nameserver = await startNameserver({
    address: config.DNS_LISTEN,
    port: config.DNS_PORT,
    tls: certificate && { certificate, needsClientCertificate, port: config.DNS_TLS_PORT as number },
    transfersNeedTls: config.DNS_TRANSFER === "tls",
    pool,
    reads: pipelinedReads(pipeline, pool),
    journal,
    hooks: hooksOf(sessions, { log, transfers, metrics, secondaries }),
    log,
    connections: config.DNS_CONNECTIONS,
    transfers: config.DNS_TRANSFERS,
    idle: config.DNS_IDLE_SECONDS,
    slowReader: config.DNS_SLOW_READER_SECONDS,
    weakTsig: config.TSIG_WEAK_ALGORITHMS === "yes",
    update: (request) => updates.answer(request),
  });
  resources.defer(() => nameserver.stop());
  const { address, port, tlsPort } = nameserver;
  sessions.setPrimary(port, certificate && tlsPort ? primaryTls(config, certificate, tlsPort) : undefined);
  log.info({ address, port, tlsPort }, "answering DNS");
  return nameserver;
}

/** What a secondary needs for DNS over TLS. `certificate` is a function, since the certificate can be renewed. */
const primaryTls = (config: Config, certificate: Certificate, port: number): PrimaryTls => ({
  port,
  isRequired: config.DNS_TRANSFER === "tls",
  needsClientCertificate: config.DNS_TLS_CLIENT_CA !== "",
  certificate: () => ({ name: certificate.name, issuer: certificate.issuer }),
});

const store = (report: Promise<void>, log: Logger) =>
  report.catch((error) => log.warn({ err: error }, "could not store the transfer report"));

interface TransferNote {
  readonly peer: TransferPeer;
  readonly transfer: Transfer;
}

const transferNotes = ({ asSystem }: Sessions, log: Logger) =>
  new LatestNotes<TransferNote>(
    ({ peer, transfer }) => store(noteTransfer(asSystem(), peer, transfer), log),
    transferNotePauseMs,
  );

interface HookDeps extends Pick<Common, "log" | "metrics"> {
  readonly transfers: LatestNotes<TransferNote>;
  readonly secondaries: SecondaryAddresses;
}

/** The hooks by which the name server reads TSIG keys, checks who may transfer, and reports transfers and rejected signatures. */
function hooksOf({ asSystem }: Sessions, { log, transfers, metrics, secondaries }: HookDeps): NameserverHooks {
  /**
   * The times until which further rejected signatures are only logged and not stored, by the address of the secondary. All clients that are
   * not secondaries share the key "".
   */
  const notedUntil = new Map<string, number>();
  return {
    isSecondary: (address) => secondaries.has(address),
    tsigKey: (name) => knownTsigKey(asSystem(), name),
    transferAccess: (zone, from, address, keyName) => transferAccess(asSystem(), zone, from, { address, keyName }),
    isWithheld: (domainId, from, address, keyName) => isWithheld(asSystem(), domainId, from, { address, keyName }),
    recordTransfer: (domainId, transferred, address, keyName) =>
      recordTransfer(asSystem(), { domainId, ...transferred, peer: { address, keyName } }),
    onTransfer: ({ address, key: keyName, octets: bytes, ...transfer }) => {
      metrics.count("zonesmith_transfers_total", { type: transfer.kind });
      metrics.count("zonesmith_transferred_bytes_total", { type: transfer.kind }, bytes);
      transfers.add(`${address} ${keyName}`, { peer: { address, keyName }, transfer: { ...transfer, bytes } });
    },
    onTsigFailure: ({ address, key: keyName, reason }) => {
      const from = secondaries.has(address) ? address : "";
      const now = performance.now();
      if (now < (notedUntil.get(from) ?? 0)) return;
      notedUntil.set(from, now + failureNotePauseMs);
      void store(noteTsigError(asSystem(), { address, keyName }, reason), log);
    },
  };
}
