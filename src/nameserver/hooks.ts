/**
 * Who asks, and what the rest of the service lets them have. The name server asks these functions and decides nothing itself.
 */
import type { TsigScope } from "../account/tsig-scope.ts";
import type { TsigKey } from "../dns/message/tsig.ts";

/** Where a message came from. */
export interface Client {
  readonly protocol: "udp" | "tcp";
  readonly address: string;
  readonly port: number;
}

/** A TSIG key of the service: what it signs with, and what it may update. */
export type SigningKey = TsigKey & TsigScope;

/** What was transferred to whom. */
export interface TransferReport {
  readonly zone: string;
  readonly serial: number;
  readonly kind: "AXFR" | "IXFR";
  readonly address: string;
  readonly key: string | undefined;
  readonly records: number;
  readonly octets: number;
  readonly ms: number;
}

/** A signature that was not accepted, in words. */
export interface TsigFailure {
  readonly address: string;
  readonly key: string;
  readonly reason: string;
}

type Awaitable<T> = T | Promise<T>;

/** The decisions that others take. Key and zone names are in lower case, without trailing dot. */
export interface NameserverHooks {
  /** The key of this name, when it works now. */
  tsigKey(name: string): Awaitable<SigningKey | undefined>;
  /** Whether a zone may be transferred to an address under the key that signed, if any. A hidden zone is answered only to these. */
  mayTransfer(zone: string, address: string, key: string | undefined): Awaitable<boolean>;
  /** Hears of every finished transfer. */
  onTransfer?(report: TransferReport): void;
  /** Hears of every signature that was not accepted. */
  onTsigFailure?(failure: TsigFailure): void;
}
