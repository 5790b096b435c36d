/**
 * Which peers may transfer zones (RFC 5936 §5), and the record of a transfer at its secondary. The key of a secondary gives access to every
 * zone and the catalog; any other key to the zones that it may update; an address that may transfer unsigned to every zone. Whether a key
 * is a secondary's is read through the cache of keys: once a second, however many zones a new secondary asks for.
 */

import { worksAt } from "../account/api-key.ts";
import { keyCacheOf, lookUpKey } from "../account/key-cache.ts";
import { TsigKey } from "../account/tsig-key.ts";
import { reachesZone } from "../account/tsig-scope.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { readOne } from "../sql/single-statement.ts";
import { type SlottedStatement, slot, slottedStatement } from "../sql/slot.ts";
import { sql } from "../sql/sql.ts";
import { Domain } from "../zone/domain.ts";
import { isAddress, peerSlots, peerValues, type TransferPeer } from "./peer.ts";
import { Secondary } from "./secondary.ts";
import { wasTransferred } from "./transferred-zone.ts";

const s = table(Secondary, "s");
const secondary = table(Secondary);
const t = table(TsigKey, "t");
const d = table(Domain, "d");
const scope = t.columns("userId", "zones");

/** What the database says about the access of a peer to a zone. */
interface Access {
  readonly isSecondary: boolean;
  /** The serial of the zone, when the peer's serial was transferred to it from here, so that differences fit. */
  readonly fitsDifferencesTo: number | null;
}

interface Asked {
  readonly zone: string;
  readonly from: number | undefined;
  readonly peer: TransferPeer;
  readonly now: Date;
}

const peerOfAsked = peerSlots(({ peer }: Asked) => peer);
const askedZone = slot(({ zone }: Asked) => zone);
const fitting = sql`(
  select ${d.serial} from ${d} where ${d.zone} = ${askedZone}
    and ${wasTransferred(
      sql`${d.id}`,
      slot(({ from }: Asked) => from as number),
      peerOfAsked,
    )})`;

/** For a request with a serial, and for one without. */
const [accessFrom, accessWhole] = [fitting, sql`null`].map((fits) =>
  slottedStatement<Asked>(sql`
    select json_build_object(
      'isSecondary', case when ${peerOfAsked.keyName}::text is not null then exists (
        select from ${s} join ${t} on ${t.id} = ${s.tsigKeyId}
        where ${t.name} = ${peerOfAsked.keyName} and ${t.transfer} and ${worksAt(
          t,
          slot(({ now }: Asked) => now),
        )})
      else exists (
        select from ${s} where ${s.allowUnsignedTransfer} and ${isAddress(peerOfAsked.address)}
        and exists (select from ${d} where ${d.zone} = ${askedZone} and ${d.userId} is not null))
      end,
      'fitsDifferencesTo', ${fits})::text as row`),
) as [SlottedStatement<Asked>, SlottedStatement<Asked>];

/** `zone` is canonical; `from` is the serial that the peer names, if any. */
export async function transferAccess(
  session: Session,
  zone: string,
  from: number | undefined,
  peer: TransferPeer,
): Promise<Access & { readonly mayTransfer: boolean }> {
  const { keyName } = peer;
  const statement = from === undefined ? accessWhole : accessFrom;
  const read = async () =>
    (await readOne<Access, Asked>(session, statement, { zone, from, peer, now: session.now() })) as Access;
  // Whether a key is one of a secondary is the same for every zone.
  const access =
    from === undefined && keyName !== undefined
      ? await lookUpKey(keyCacheOf(session.em).keys, `access of ${keyName}`, read)
      : await read();
  const mayTransfer = access.isSecondary || (keyName !== undefined && (await keyReaches(session, zone, keyName)));
  return { ...access, mayTransfer };
}

/** Whether a key with the right to transfer covers the zone, as for a client that reads a zone before it updates it. */
async function keyReaches(session: Session, zone: string, keyName: string): Promise<boolean> {
  const query = sql<RowOf<typeof scope>>`
    select ${scope} from ${t} join ${d} on ${d.zone} = ${zone}
    where ${t.name} = ${keyName} and ${t.transfer} and ${worksAt(t, session.now())}
    and ${d.userId} is not null and (${t.userId} is null or ${t.userId} = ${d.userId})`;
  const key = (await query.run(session))[0];
  return key !== undefined && reachesZone(key, zone);
}

/** As sockets report them. */
export async function secondaryAddresses(session: Session): Promise<ReadonlySet<string>> {
  const query = sql<{ address: string }>`select host(split_part(${s.address}, '%', 1)::inet) as address from ${s}`;
  return new Set((await query.run(session)).map(({ address }) => address));
}

export interface Transfer {
  readonly zone: string;
  readonly kind: "AXFR" | "IXFR";
  readonly bytes: number;
  readonly ms: number;
}

export async function noteTransfer(session: Session, peer: TransferPeer, transfer: Transfer): Promise<void> {
  const query = sql`
    update ${secondary} set ${secondary.transferredAt} = ${session.now()}, ${secondary.transferZone} = ${transfer.zone},
      ${secondary.transferKind} = ${transfer.kind}, ${secondary.transferBytes} = ${transfer.bytes},
      ${secondary.transferMs} = ${Math.round(transfer.ms)}
    where ${secondary.id} = ${secondaryOf(peer)}`;
  await query.run(session);
}

export async function noteTsigError(session: Session, peer: TransferPeer, reason: string): Promise<void> {
  const query = sql`
    update ${secondary} set ${secondary.tsigErrorAt} = ${session.now()}, ${secondary.tsigError} = ${reason}
    where ${secondary.id} = ${secondaryOf(peer)}`;
  await query.run(session);
}

/** The id of a peer's secondary: the one with its key, of several the one at its address; without a key, the one at its address. */
function secondaryOf(peer: TransferPeer) {
  const { address, keyName } = peerValues(peer);
  return sql`(
    select ${s.id} from ${s} left join ${t} on ${t.id} = ${s.tsigKeyId}
    where ${t.name} = ${keyName} or ${isAddress(address)}
    order by (${t.name} = ${keyName}) is true desc, ${isAddress(address)} desc, ${s.id} limit 1)`;
}
