/** The functions that the name server calls for decisions and for reports. */
import type { TsigScope } from "../account/tsig-scope.ts";
import type { TsigKey } from "../dns/message/tsig.ts";

export interface Client {
  /** TLS uses the framing of TCP. */
  readonly protocol: "udp" | "tcp";
  /** Over TLS: whether the client named DNS over TLS by ALPN (RFC 7301). */
  readonly tls?: { readonly isDot: () => boolean } | undefined;
  readonly address: string;
  readonly port: number;
  /** After an accepted signature, with `RequestContext.holder`. */
  onSigned?(holder: string): void;
}

export type SigningKey = TsigKey & TsigScope;

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

interface TransferAccess {
  readonly mayTransfer: boolean;
  readonly isSecondary: boolean;
  /**
   * The zone's current serial if differences can be sent, because the serial that the peer named was transferred to it from here; otherwise
   * null.
   */
  readonly fitsDifferencesTo: number | null;
}

type Awaitable<T> = T | Promise<T>;

/** Names of keys and zones are in lower case, without trailing dot. */
export interface NameserverHooks {
  /** Undefined when the key is unknown, revoked or expired. */
  tsigKey(name: string): Awaitable<SigningKey | undefined>;
  /** `from` is the serial that the peer names, if any. A hidden zone is answered only where it may be transferred. */
  transferAccess(
    zone: string,
    from: number | undefined,
    address: string,
    key: string | undefined,
  ): Awaitable<TransferAccess>;
  /** Whether the address belongs to a secondary; each such address has its own places. */
  isSecondary?(address: string): boolean;
  /** Whether the peer may have changes that a restored database does not have. */
  isWithheld(domainId: number, from: number | undefined, address: string, key: string | undefined): Awaitable<boolean>;
  /** Awaited before the last message is sent. */
  recordTransfer(
    domainId: number,
    transferred: { readonly serial: number; readonly isWhole: boolean },
    address: string,
    key: string | undefined,
  ): Awaitable<void>;
  onTransfer?(report: TransferReport): void;
  onTsigFailure?(failure: TsigFailure): void;
}
