/** The functions that the name server calls for decisions and for reports. */
import type { TsigScope } from "../account/tsig-scope.ts";
import type { TsigKey } from "../dns/message/tsig.ts";

export interface Client {
  /** The framing of messages; TLS uses that of TCP. */
  readonly protocol: "udp" | "tcp";
  /** Present over TLS: whether the client named DNS over TLS by ALPN (RFC 7301). */
  readonly tls?: { readonly isDot: () => boolean } | undefined;
  readonly address: string;
  readonly port: number;
  /** Called when a signature was accepted, with the holder of its key (`RequestContext.holder`). */
  onSigned?(holder: string): void;
}

/** A TSIG key of the service, with the scope of its updates. */
export type SigningKey = TsigKey & TsigScope;

/** A finished transfer: its size, the address of the client, and the key. */
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

export interface TsigFailure {
  readonly address: string;
  readonly key: string;
  readonly reason: string;
}

/** The access of a peer to a zone. */
export interface TransferAccess {
  readonly mayTransfer: boolean;
  /** True for a registered secondary, false for a user of the zone. */
  readonly isSecondary: boolean;
  /** The zone's serial, when the serial that the peer named was transferred to it from here, so that differences fit. Otherwise null. */
  readonly fitsDifferencesTo: number | null;
}

type Awaitable<T> = T | Promise<T>;

/** Decisions and reports. Key and zone names are in lower case, without trailing dot. */
export interface NameserverHooks {
  /** Returns the key of this name; undefined when it is unknown, revoked or expired. */
  tsigKey(name: string): Awaitable<SigningKey | undefined>;
  /**
   * Returns the access of a peer to a zone; `from` is the serial that the peer names, if any. A hidden zone is answered only where it may
   * be transferred.
   */
  transferAccess(
    zone: string,
    from: number | undefined,
    address: string,
    key: string | undefined,
  ): Awaitable<TransferAccess>;
  /** Returns whether a secondary is registered at this address; such an address has its own places. */
  isSecondary?(address: string): boolean;
  /**
   * Returns whether a domain is withheld from this peer, because the peer may have changes that a restored database does not have. `from`
   * is the serial that the peer names, if any.
   */
  isWithheld(domainId: number, from: number | undefined, address: string, key: string | undefined): Awaitable<boolean>;
  /** Records a transfer to this peer; awaited before the last message is sent. */
  recordTransfer(
    domainId: number,
    transferred: { readonly serial: number; readonly isWhole: boolean },
    address: string,
    key: string | undefined,
  ): Awaitable<void>;
  onTransfer?(report: TransferReport): void;
  onTsigFailure?(failure: TsigFailure): void;
}
