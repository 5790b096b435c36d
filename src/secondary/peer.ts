/**
 * The peer of a transfer, and the SQL that recognizes its address among those of the secondaries.
 */
import { type RawBuilder, sql } from "kysely";
import { table } from "../sql/columns.ts";
import { Secondary } from "./secondary.ts";

/**
 * Who requests a transfer: the address, as the socket reports it, and the canonical name of the key that signed, if
 * any.
 */
export interface TransferPeer {
  readonly address: string;
  readonly keyName: string | undefined;
}

const s = table(Secondary, "s");

/**
 * The SQL condition that secondary s has the peer's address. A socket that listens on IPv6 shows IPv4 addresses as
 * ::ffff:192.0.2.1 (RFC 4291 §2.5.5.2).
 */
export function isAddress({ address }: TransferPeer): RawBuilder<boolean> {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "");
  return sql<boolean>`host(split_part(${s.address}, '%', 1)::inet) = host(${plain}::inet)`;
}
