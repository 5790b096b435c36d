/**
 * The secondaries as the operator registers them: list, create, edit, delete. Administrators only, reading and writing;
 * a user sees a secondary's name and state in publication.ts.
 */
import { isIP } from "node:net";
import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import { createTsigKey } from "../account/create-tsig-key.ts";
import { tsigKeyById } from "../account/tsig-key.ts";
import { noSuch, Refusal } from "../errors.ts";
import { type Order, type Page, type PageRequest, page } from "../lists/pagination.ts";
import { mayAdminister } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { noteJoined } from "./joining.ts";
import { Secondary, Sighting, secondaryNameKey } from "./secondary.ts";
import { TransferredZone } from "./transferred-zone.ts";

const s = table(Secondary, "s");
const columns = s.columns();

/** A secondary as it is read: a plain row. */
export type SecondaryRow = RowOf<typeof columns>;

/** What the operator says of a secondary. `tsigKeyId` null: it signs nothing. */
export interface SecondaryFields {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly tsigKeyId: number | null;
  readonly notify: boolean;
  readonly requiredForLive: boolean;
  readonly allowUnsignedTransfer: boolean;
  readonly indirect: boolean;
}

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

/** One page of the secondaries. */
export async function listSecondaries(session: Session, request: PageRequest): Promise<Page<SecondaryRow>> {
  mayRead(session);
  const list = { columns, from: s, conditions: [sql`true`], order: byName };
  return page(session, list, request);
}

/** What identifies a secondary. */
export interface SecondaryChoice {
  readonly id?: number | undefined;
  readonly name?: string | undefined;
}

/**
 * The one secondary that every selector given identifies; NOT_FOUND when there is no such secondary, MISSING_FIELD
 * without a selector.
 */
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

/**
 * Registers a secondary, with a new TSIG key of this name if there is one, both or none; the publisher finds it in the
 * database.
 */
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

/** Creates a key and returns its id; a refusal names the field that the name came in. */
async function createKey(session: Session, name: string): Promise<number> {
  try {
    return (await createTsigKey(session, name, "hmac-sha256")).tsigKey.id;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.message.replace(/^name\b/, "newTsigKey"), { field: "newTsigKey" });
  }
}

/**
 * Edits a secondary; what is left out stays. At another address or port it is another server, which joins: the sightings of
 * the old one are deleted, and what was transferred to it, where its address alone says who it is.
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
    return findSecondary(inner, { id });
  });
}

/** Deletes a secondary and its sightings; nothing waits for it from now on. */
export async function deleteSecondary(session: Session, id: number): Promise<void> {
  mayAdminister(session.actor);
  await transaction(session, async ({ em }) => {
    if ((await em.nativeDelete(Secondary, id)) === 0) throw noSuch("secondary", id);
    return { id };
  });
}

/** What an entity takes of the fields, each by its name. */
function propertiesOf(fields: SecondaryFields) {
  const { tsigKeyId, name, address, port, notify, requiredForLive, allowUnsignedTransfer, indirect } = fields;
  return { name, address, port, tsigKey: tsigKeyId, notify, requiredForLive, allowUnsignedTransfer, indirect };
}

/** Checks the fields, and makes the address canonical so that no server is registered twice. */
async function readFields(session: Session, fields: SecondaryFields): Promise<SecondaryFields> {
  const name = fields.name.trim();
  if (name === "") throw new Refusal("INVALID_VALUE", "name is empty.", { field: "name" });
  if (!Number.isInteger(fields.port) || fields.port < 1 || fields.port > 65535)
    throw new Refusal("INVALID_VALUE", "port: write a number from 1 to 65535.", { field: "port" });
  if (fields.tsigKeyId !== null && (await tsigKeyById(session, fields.tsigKeyId, "tsigKeyId")).revokedAt)
    throw new Refusal("INVALID_VALUE", "tsigKeyId: this key was revoked; send another key.", { field: "tsigKeyId" });
  return { ...fields, name, address: readAddress(fields.address.trim()) };
}

/** The canonical text of an IPv4 or IPv6 address; a zone (`%eth0`) is no part of one that others could use. */
export function readAddress(address: string, field = "address"): string {
  const version = address.includes("%") ? 0 : isIP(address);
  if (version === 4) return address;
  if (version === 6) return new URL(`http://[${address}]`).hostname.slice(1, -1);
  const message = `${field}: write an IPv4 or IPv6 address, such as 192.0.2.53 or 2001:db8::53.`;
  throw new Refusal("INVALID_VALUE", message, { field });
}

/** Flushes; INVALID_VALUE when another secondary has the name, or the address and port: then of `field`, which was sent. */
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
