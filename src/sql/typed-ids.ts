/**
 * Ids that show their type: the sequence of each table has a step of 16 and a remainder of its own, so no two objects have the same id.
 * Rows of version 0.1 keep their ids, which are below an origin that the migration stored; there, objects of different types may share an
 * id.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { table } from "./columns.ts";
import { type Carrier, type Sql, sql } from "./sql.ts";

export const idRemainders = {
  User: 0,
  Domain: 1,
  Record: 2,
  Change: 3,
  ApiKey: 4,
  TsigKey: 5,
  Secondary: 6,
  UpdateRefusal: 7,
  ChangeSet: 9,
  ZoneTemplate: 10,
  AuditEntry: 15,
  Webhook: 13,
  WebhookDelivery: 14,
} as const;

export const idStep = 16;

export type NodeType = keyof typeof idRemainders;

/** The first id that shows its type; one row. */
@Entity({ tableName: "id_origin" })
export class IdOrigin {
  @PrimaryKey({ type: "integer", autoincrement: false })
  id!: number;

  @Property({ type: new BigIntType("number") })
  origin!: number;
}

const o = table(IdOrigin, "o");

/** The SQL condition that an id shows that its object is not of a type; also true for null, and below the origin. */
export const isNotOfType = (id: Sql, type: NodeType): Sql<boolean> =>
  sql<boolean>`(${id} is null or ${id} % ${sql.lit(idStep)} <> ${sql.lit(idRemainders[type])} or ${id} < (select ${o.origin} from ${o}))`;

/** The origin of each database, which is constant once the database is migrated. */
const origins = new WeakMap<object, Promise<number>>();

async function readOrigin(carrier: Carrier): Promise<number> {
  const rows = await sql<{ origin: number }>`select ${o.origin} from ${o}`.run(carrier);
  if (!rows[0]) throw new Error("the migration stored no origin of ids");
  return rows[0].origin;
}

/** The types that an object of this id may have: one type, every type for an id below the origin, empty for an unused remainder. */
export async function typesOfId(carrier: Carrier, id: number): Promise<readonly NodeType[]> {
  const driver = carrier.em.getDriver();
  const reading = origins.get(driver) ?? readOrigin(carrier);
  origins.set(driver, reading);
  reading.catch(() => origins.delete(driver));
  const types = Object.keys(idRemainders) as NodeType[];
  return id < (await reading) ? types : types.filter((type) => idRemainders[type] === id % idStep);
}
