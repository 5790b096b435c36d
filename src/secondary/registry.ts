/** The secondaries as the operator registers them. Administrators only, for reads too; users see names and states (publication.ts). */
import { isIP } from "node:net";
import { ForeignKeyConstraintViolationException, LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import { Field, Int, ObjectType } from "type-graphql";
import { createTsigKey } from "../account/create-tsig-key.ts";
import { forgetKeys } from "../account/key-cache.ts";
import { TsigKey, tsigKeyById } from "../account/tsig-key.ts";
import { noSuch, Refusal } from "../errors.ts";
import { DateTimeScalar } from "../graphql/scalars/scalars.ts";
import { inSearch } from "../lists/list-statement.ts";
import { type Order, type Page, type PageRequest, page } from "../lists/pagination.ts";
import { mayAdminister } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { transaction, whenCommitted } from "../session/transaction.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Change, ChangeKind } from "../zone/change.ts";
import { Domain } from "../zone/domain.ts";
import { type DomainsOfDeletedUser, deleteUser } from "../zone/lifecycle/domain-lifecycle.ts";
import { isProven, lateLimit, serves } from "./publication.ts";
import { Secondary, Sighting, secondaryNameKey } from "./secondary.ts";
import { TransferredZone } from "./transferred-zone.ts";

const s = table(Secondary, "s");
const columns = s.columns();

export type SecondaryRow = RowOf<typeof columns>;

type SecondaryFields = Pick<
  SecondaryRow,
  "name" | "address" | "port" | "tsigKeyId" | "notify" | "requiredForLive" | "allowUnsignedTransfer" | "indirect"
>;

const byName: Order<SecondaryRow> = {
  name: "secondaries",
  columns: [s.name],
  kinds: ["string"],
  descending: false,
  key: (row) => [row.name],
};

function mayRead({ actor }: Session): void {
  mayAdminister({ ...actor, readOnly: false });
}

export async function listSecondaries(session: Session, request: PageRequest): Promise<Page<SecondaryRow>> {
  mayRead(session);
  const list = { columns, from: s, conditions: [sql`true`], order: byName };
  return page(session, list, request);
}

export interface SecondaryChoice {
  readonly id?: number | undefined;
  readonly name?: string | undefined;
}

/** Throws NOT_FOUND unless a secondary matches every selector, MISSING_FIELD without a selector. */
export async function findSecondary(session: Session, { id, name }: SecondaryChoice): Promise<SecondaryRow> {
  mayRead(session);
  if (id === undefined && name === undefined)
    throw new Refusal("MISSING_FIELD", "name is missing; send the name or the id of a secondary.", { field: "name" });
  const conditions = [
    ...(id === undefined ? [] : [sql`${s.id} = ${id}`]),
    ...(name === undefined ? [] : [sql`${s.name} = ${name}`]),
  ];
  const query = sql<SecondaryRow>`select ${columns} from ${s} where ${sql.join(conditions, sql` and `)}`;
  const [row] = await query.run(session);
  if (!row) throw noSuch("secondary", id ?? name, id === undefined ? "name" : "id");
  return row;
}

/** Registers a secondary, with a new TSIG key if a name for one is given; both or neither. */
export async function createSecondary(
  session: Session,
  fields: SecondaryFields,
  newTsigKey?: string,
): Promise<SecondaryRow> {
  mayAdminister(session.actor);
  if (newTsigKey !== undefined && fields.tsigKeyId !== null)
    throw new Refusal("INVALID_VALUE", "newTsigKey: send it or tsigKeyId, not both.", { field: "newTsigKey" });
  return transaction(session, async (inner) => {
    const unkeyed = await readFields(inner, fields);
    const read = newTsigKey === undefined ? unkeyed : { ...unkeyed, tsigKeyId: await createKey(inner, newTsigKey) };
    const secondary = inner.em.create(Secondary, { ...propertiesOf(read), doubtedTerm: 0, createdAt: session.now() });
    await flushUnique(inner, read);
    // Before the first zone there is nothing to catch up with.
    await noteJoined(inner, [secondary.id]);
    return findSecondary(inner, { id: secondary.id });
  });
}

/** A refusal names the field `newTsigKey`. */
async function createKey(session: Session, name: string): Promise<number> {
  try {
    return (await createTsigKey(session, name, "hmac-sha256")).tsigKey.id;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.message.replace(/^name\b/, "newTsigKey"), { field: "newTsigKey" });
  }
}

/**
 * Fields that are left out stay. A new address or port means another server: it joins from the beginning, without the sightings of the
 * earlier one, and without its transfers where only the address identifies it.
 */
export async function updateSecondary(
  session: Session,
  id: number,
  edit: Partial<SecondaryFields>,
): Promise<SecondaryRow> {
  mayAdminister(session.actor);
  return transaction(session, async (inner) => {
    const { em } = inner;
    const secondary = await em.findOne(Secondary, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!secondary) throw noSuch("secondary", id);
    const old = await findSecondary(inner, { id });
    const read = await readFields(inner, { ...old, ...edit });
    const hasMoved = read.address !== old.address || read.port !== old.port;
    em.assign(secondary, propertiesOf(read));
    if (hasMoved) secondary.joinedAt = null;
    await flushUnique(inner, read, edit.address === undefined ? "port" : "address");
    if (hasMoved) {
      await em.nativeDelete(Sighting, { secondary: id });
      await noteJoined(inner, [id]);
    }
    if (read.indirect || (hasMoved && read.tsigKeyId === null))
      await em.nativeDelete(TransferredZone, { secondary: id });
    whenCommitted(inner, () => forgetKeys(session.em));
    return findSecondary(inner, { id });
  });
}

export async function deleteSecondary(session: Session, id: number): Promise<void> {
  mayAdminister(session.actor);
  await transaction(session, async (inner) => {
    if ((await inner.em.nativeDelete(Secondary, id)) === 0) throw noSuch("secondary", id);
    whenCommitted(inner, () => forgetKeys(session.em));
    return { id };
  });
}

function propertiesOf(fields: SecondaryFields) {
  const { tsigKeyId, name, address, port, notify, requiredForLive, allowUnsignedTransfer, indirect } = fields;
  return { name, address, port, tsigKey: tsigKeyId, notify, requiredForLive, allowUnsignedTransfer, indirect };
}

/** Makes the address canonical, so that no server is registered twice. Throws INVALID_VALUE. */
async function readFields(session: Session, fields: SecondaryFields): Promise<SecondaryFields> {
  const name = fields.name.trim();
  if (name === "") throw new Refusal("INVALID_VALUE", "name is empty.", { field: "name" });
  if (!Number.isInteger(fields.port) || fields.port < 1 || fields.port > 65535)
    throw new Refusal("INVALID_VALUE", "port: write a number from 1 to 65535.", { field: "port" });
  if (fields.tsigKeyId !== null && (await tsigKeyById(session, fields.tsigKeyId, "tsigKeyId")).revokedAt)
    throw new Refusal("INVALID_VALUE", "tsigKeyId: this key was revoked; send another key.", { field: "tsigKeyId" });
  return { ...fields, name, address: readAddress(fields.address.trim()) };
}

/** The canonical text of an IPv4 or IPv6 address. Throws INVALID_VALUE for other text, and for a zone (`%eth0`). */
export function readAddress(address: string, field = "address"): string {
  const version = address.includes("%") ? 0 : isIP(address);
  if (version === 4) return address;
  if (version === 6) return new URL(`http://[${address}]`).hostname.slice(1, -1);
  const message = `${field}: write an IPv4 or IPv6 address, such as 192.0.2.53 or 2001:db8::53.`;
  throw new Refusal("INVALID_VALUE", message, { field });
}

/** Throws INVALID_VALUE of `name` when another secondary has the name, of `field` when another has the address and port. */
async function flushUnique(
  { em }: Session,
  { name, address, port }: SecondaryFields,
  field: "address" | "port" = "address",
): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    if ((error as { constraint?: string }).constraint === secondaryNameKey) {
      const message = `name: there is a secondary ${name} already; choose another name.`;
      throw new Refusal("INVALID_VALUE", message, { field: "name" });
    }
    const message = `${field}: port ${port} of ${address} is registered already; edit that secondary, or name another port.`;
    throw new Refusal("INVALID_VALUE", message, { field });
  }
}

const t = table(TsigKey, "t");

/** INVALID_VALUE when a secondary signs with a key of the user. */
export async function deleteUserWithKeys(session: Session, id: number, domains: DomainsOfDeletedUser): Promise<void> {
  try {
    await deleteUser(session, id, domains);
  } catch (error) {
    if (!(error instanceof ForeignKeyConstraintViolationException)) throw error;
    throw (await keyInUse(session, id)) ?? error;
  }
}

async function keyInUse(session: Session, userId: number): Promise<Refusal | undefined> {
  const query = sql<{ name: string; key: string }>`
    select ${s.name}, ${t.name} as key from ${s} join ${t} on ${t.id} = ${s.tsigKeyId} where ${t.userId} = ${userId}
    order by ${s.name}`;
  const [row] = await query.run(session);
  if (!row) return undefined;
  const message = `The secondary ${row.name} signs with ${row.key}, a TSIG key of this user; give the secondary another key first.`;
  return new Refusal("INVALID_VALUE", message, { field: "by" });
}

const g = table(Sighting, "g");
const d = table(Domain, "d");
const c = table(Change, "c");

@ObjectType({ description: "How many of all zones a secondary serves.", simpleResolvers: true })
export class SecondaryProgress {
  @Field(() => Int, { description: "Number of zones that it serves at their committed serials." })
  served!: number;

  @Field(() => Int, { description: "Number of all zones." })
  total!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it came to serve the first of these; null while it serves none.",
  })
  firstAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it came to serve the last of these, or a new serial of one; null while it serves none.",
  })
  lastAt!: Date | null;
}

/** In the order of the ids. */
export async function zonesAt(session: Session, secondaryIds: readonly number[]): Promise<SecondaryProgress[]> {
  const query = sql<SecondaryProgress & { id: number }>`
    select ${s.id}, count(*) filter (where ${serves(d.serial)})::int as served, count(${d.id})::int as total,
      min(${g.serialAt}) filter (where ${serves(d.serial)}) as "firstAt",
      max(${g.serialAt}) filter (where ${serves(d.serial)}) as "lastAt"
    from ${s} left join ${d} on ${d.userId} is not null
    left join ${g} on ${g.secondaryId} = ${s.id} and ${g.domainId} = ${d.id}
    where ${s.id} = any(${secondaryIds}::bigint[]) group by ${s.id}`;
  const rows = await inSearch(session, (db) => query.run(db));
  const byId = new Map(rows.map(({ id, ...zones }) => [id, zones]));
  return secondaryIds.map((id) => byId.get(id) ?? { served: 0, total: 0, firstAt: null, lastAt: null });
}

/**
 * Marks the secondaries of this list that have all zones as joined, and returns their names. A zone also counts if the secondary serves an
 * earlier serial of ours, since zones change all the time. Zones that were created or restored after the secondary was registered, and less
 * than the limit of LATE ago, are not required, since zones are created all the time.
 */
export async function noteJoined(session: Session, secondaryIds: readonly number[]): Promise<string[]> {
  const hasZone = sql`exists (
    select from ${g} where ${g.secondaryId} = ${s.id} and ${g.domainId} = ${d.id} and ${isProven} and ${g.provenSerial} is not null)`;
  const isNew = sql`exists (
    select from ${c} where ${c.domainId} = ${d.id} and ${c.kind} in (${ChangeKind.CREATE}, ${ChangeKind.RESTORE})
    and ${c.createdAt} > ${lateLimit(session)}::timestamptz and ${c.createdAt} > ${s.createdAt})`;
  const isJoined = sql`${s.id} = any(${secondaryIds}::bigint[]) and ${s.joinedAt} is null and not exists (
    select from ${d} where ${d.userId} is not null and not ${hasZone} and not ${isNew})`;
  const look = sql`select ${s.id} from ${s} where ${isJoined}`;
  if ((await look.run(session)).length === 0) return [];
  const lock = sql`select from ${s} where ${s.id} = any(${secondaryIds}::bigint[]) order by ${s.id} for no key update`;
  const note = sql<{ name: string }>`
    update ${s} set ${s.names("joinedAt")} = ${session.now()} where ${isJoined} returning ${s.name}`;
  return transaction(session, async (inner) => {
    // After the lock: a secondary that is moved to another address meanwhile has no sightings.
    await lock.run(inner);
    return (await note.run(inner)).map(({ name }) => name);
  });
}

/** Ms since 1970, by the id of the secondary; without those that are joining. */
export async function joinedSecondaries(session: Session): Promise<Map<number, number>> {
  const query = sql<{ id: number; at: number }>`
    select ${s.id}, (extract(epoch from ${s.joinedAt}) * 1000)::float8 as at from ${s} where ${s.joinedAt} is not null`;
  return new Map((await query.run(session)).map(({ id, at }) => [id, at]));
}
