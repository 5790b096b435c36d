/**
 * The secondaries as the operator registers them: list, create, edit, delete. Administrators only, reading and writing; a user sees
 * a secondary's name and state in publication.ts.
 */
import { isIP } from "node:net";
import { sql } from "kysely";
import { tsigKeyById } from "../account/tsig-key.ts";
import { Refusal } from "../errors.ts";
import { mayAdminister } from "../session/authorization.ts";
import { connection, type Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { type Order, type Page, type PageRequest, page } from "../sql/pagination.ts";
import { isUniqueViolation } from "../sql/unique-violation.ts";
import { Secondary } from "./secondary.ts";

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
  return page(connection(session), list, request);
}

/** The one secondary that every selector given identifies; NOT_FOUND when there is none, MISSING_FIELD without a selector. */
export async function findSecondary(
  session: Session,
  { id, name }: { readonly id?: number | undefined; readonly name?: string | undefined },
  field = id === undefined ? "name" : "id",
): Promise<SecondaryRow> {
  mayRead(session);
  if (id === undefined && name === undefined)
    throw new Refusal("MISSING_FIELD", "name is missing; send the name or the id of a secondary.", { field: "name" });
  const conditions = [
    ...(id === undefined ? [] : [sql`${s.id} = ${id}`]),
    ...(name === undefined ? [] : [sql`${s.name} = ${name}`]),
  ];
  const query = sql<SecondaryRow>`select ${columns} from ${s} where ${sql.join(conditions, sql` and `)}`;
  const [row] = (await query.execute(connection(session))).rows;
  if (!row) throw new Refusal("NOT_FOUND", `There is no secondary ${id ?? name}.`, { field });
  return row;
}

/** Registers a secondary; the publisher finds it in the database. */
export async function createSecondary(session: Session, fields: SecondaryFields): Promise<SecondaryRow> {
  mayAdminister(session.actor);
  const read = await readFields(session, fields);
  const insert = sql<SecondaryRow>`
    insert into secondary as s (name, address, port, tsig_key_id, notify, required_for_live, allow_unsigned_transfer, created_at)
    values (${read.name}, ${read.address}, ${read.port}, ${read.tsigKeyId}, ${read.notify}, ${read.requiredForLive},
      ${read.allowUnsignedTransfer}, ${session.now()}) returning ${columns}`;
  return (await named(read, () => insert.execute(connection(session)))).rows[0] as SecondaryRow;
}

/**
 * Edits a secondary; what is left out stays. At another address or port it is another server: what was seen of the old one is forgotten.
 */
export async function updateSecondary(
  session: Session,
  id: number,
  edit: Partial<SecondaryFields>,
): Promise<SecondaryRow> {
  mayAdminister(session.actor);
  return session.em.transactional(async (em) => {
    const inner = { ...session, em };
    await sql`select from secondary where id = ${id} for update`.execute(connection(inner));
    const old = await findSecondary(inner, { id });
    const read = await readFields(inner, { ...old, ...edit });
    const update = sql<SecondaryRow>`
      update secondary s set name = ${read.name}, address = ${read.address}, port = ${read.port}, tsig_key_id = ${read.tsigKeyId},
        notify = ${read.notify}, required_for_live = ${read.requiredForLive}, allow_unsigned_transfer = ${read.allowUnsignedTransfer}
      where s.id = ${id} returning ${columns}`;
    const row = (await named(read, () => update.execute(connection(inner)))).rows[0] as SecondaryRow;
    if (row.address !== old.address || row.port !== old.port)
      await sql`delete from sighting where secondary_id = ${id}`.execute(connection(inner));
    return row;
  });
}

/** Deletes a secondary with what was seen of it; nothing waits for it from now on. */
export async function deleteSecondary(session: Session, id: number): Promise<void> {
  mayAdminister(session.actor);
  const gone = await sql`delete from secondary where id = ${id} returning id`.execute(connection(session));
  if (gone.rows.length === 0) throw new Refusal("NOT_FOUND", `There is no secondary ${id}.`, { field: "id" });
}

/** Checks what the operator said, the address made canonical so that no server is registered twice. */
async function readFields(session: Session, fields: SecondaryFields): Promise<SecondaryFields> {
  const name = fields.name.trim();
  if (name === "") throw new Refusal("INVALID_VALUE", "name: write what you call it.", { field: "name" });
  if (!Number.isInteger(fields.port) || fields.port < 1 || fields.port > 65535)
    throw new Refusal("INVALID_VALUE", "port: write a number from 1 to 65535.", { field: "port" });
  if (fields.tsigKeyId !== null && (await tsigKeyById(session, fields.tsigKeyId, "tsigKey")).revokedAt)
    throw new Refusal("INVALID_VALUE", "tsigKey: this key was revoked; send another one.", { field: "tsigKey" });
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

/** Runs a write and refuses what is registered already by its name. */
async function named<T>({ name, address, port }: SecondaryFields, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, "secondary_name_key")) {
      const message = `name: there is a secondary ${name} already; choose another name.`;
      throw new Refusal("INVALID_VALUE", message, { field: "name" });
    }
    if (!isUniqueViolation(error, "secondary_address_port_key")) throw error;
    const message = `address: port ${port} of ${address} is registered already; edit that secondary, or name another port.`;
    throw new Refusal("INVALID_VALUE", message, { field: "address" });
  }
}
