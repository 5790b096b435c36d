/**
 * The functions that the name server calls for decisions and for reports; it decides nothing itself.
 */
import type { TsigScope } from "../account/tsig-scope.ts";
import type { TsigKey } from "../dns/message/tsig.ts";

/** The sender of a message. */
export interface Client {
  /** How messages are framed; over TLS as over TCP. */
  readonly protocol: "udp" | "tcp";
  /** There when it came over TLS: whether the client named DNS over TLS by ALPN (RFC 7301). */
  readonly tls?: { readonly isDot: () => boolean } | undefined;
  readonly address: string;
  readonly port: number;
  /** Called when a signature was accepted, with the holder of its key (`RequestContext.holder`). */
  onSigned?(holder: string): void;
}

/** A TSIG key of the service: what it signs with, and what it may update. */
export type SigningKey = TsigKey & TsigScope;

/** A finished transfer: what was sent, to which address, under which key. */
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

/** A signature that was not accepted, and why. */
export interface TsigFailure {
  readonly address: string;
  readonly key: string;
  readonly reason: string;
}

/** What a peer may be sent of a zone. */
export interface TransferAccess {
  readonly mayTransfer: boolean;
  /** True for a registered secondary, false for a user of the zone. */
  readonly isSecondary: boolean;
  /**
   * The zone's serial at which differences from the serial that it named fit what it has: that serial was transferred to
   * it from here. Null when they do not.
   */
  readonly fitsDifferencesTo: number | null;
}

type Awaitable<T> = T | Promise<T>;

/** Decisions and reports. Key and zone names are in lower case, without trailing dot. */
export interface NameserverHooks {
  /** The key of this name, when it works now. */
  tsigKey(name: string): Awaitable<SigningKey | undefined>;
  /**
   * What a peer may be sent of a zone, which has the serial `from`, if it names one. A hidden zone is answered only where
   * it may be transferred.
   */
  transferAccess(
    zone: string,
    from: number | undefined,
    address: string,
    key: string | undefined,
  ): Awaitable<TransferAccess>;
  /** Whether a secondary is registered at this address, for its connections and packets to have their places. */
  isSecondary?(address: string): boolean;
  /**
   * Whether a domain is withheld from this peer, which has the serial `from`, if it names one: it may have changes that
   * a restored database does not have.
   */
  isWithheld(domainId: number, from: number | undefined, address: string, key: string | undefined): Awaitable<boolean>;
  /** Records what is transferred of a domain to this peer; awaited before the last message is sent. */
  recordTransfer(
    domainId: number,
    transferred: { readonly serial: number; readonly isWhole: boolean },
    address: string,
    key: string | undefined,
  ): Awaitable<void>;
  /** Called after every finished transfer. */
  onTransfer?(report: TransferReport): void;
  /** Called for every signature that was not accepted. */
  onTsigFailure?(failure: TsigFailure): void;
}
