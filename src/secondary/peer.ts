/**
 * The peer of a transfer, and the SQL that recognizes its address among those of the secondaries.
 */

import { table } from "../sql/columns.ts";
import { slot } from "../sql/slot.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Secondary } from "./secondary.ts";

/**
 * Who requests a transfer: the address, as the socket reports it, and the canonical name of the key that signed, if
 * any.
 */
export interface TransferPeer {
  readonly address: string;
  readonly keyName: string | undefined;
}

/** A peer as SQL compares it, or slots for it. */
export interface PeerValues {
  /** As secondaries have it: a socket that listens on IPv6 shows IPv4 addresses as ::ffff:192.0.2.1 (RFC 4291 §2.5.5.2). */
  readonly address: string;
  readonly keyName: string | null;
}

/** The values of a peer. */
export function peerValues({ address, keyName }: TransferPeer): PeerValues {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "");
  return { address: plain, keyName: keyName ?? null };
}

/** Slots for the peer of what a statement is given. */
export function peerSlots<Given>(peerOf: (given: Given) => TransferPeer): PeerValues {
  return {
    address: slot((given: Given) => peerValues(peerOf(given)).address),
    keyName: slot((given: Given) => peerValues(peerOf(given)).keyName),
  };
}

const s = table(Secondary, "s");

/** The SQL condition that secondary s has the peer's address. */
export function isAddress(address: Sql | string): Sql<boolean> {
  return sql<boolean>`host(split_part(${s.address}, '%', 1)::inet) = host(${address}::inet)`;
}
