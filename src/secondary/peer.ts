/** The peer of a transfer, and the SQL condition that a secondary has its address. */

import { plainAddress } from "../net/listening-address.ts";
import { table } from "../sql/columns.ts";
import { slot } from "../sql/slot.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Secondary } from "./secondary.ts";

/** The server that requests a transfer: its address as the socket reports it, and the canonical name of the key that signed, if any. */
export interface TransferPeer {
  readonly address: string;
  readonly keyName: string | undefined;
}

/** A peer in the form that SQL compares, as values or as slots. */
export interface PeerValues {
  /** In the form of the table of secondaries. */
  readonly address: string;
  readonly keyName: string | null;
}

export function peerValues({ address, keyName }: TransferPeer): PeerValues {
  return { address: plainAddress(address), keyName: keyName ?? null };
}

export function peerSlots<Given>(peerOf: (given: Given) => TransferPeer): PeerValues {
  return {
    address: slot((given: Given) => peerValues(peerOf(given)).address),
    keyName: slot((given: Given) => peerValues(peerOf(given)).keyName),
  };
}

const s = table(Secondary, "s");

export function isAddress(address: Sql | string): Sql<boolean> {
  return sql<boolean>`host(split_part(${s.address}, '%', 1)::inet) = host(${address}::inet)`;
}
