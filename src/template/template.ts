/**
 * Templates of zones: records with variables, from which new domains are made. A template belongs to a user, or is shared by all users and
 * written by administrators. A domain remembers its template and does not follow it.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates have placeholders of that form
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { holdUser, User } from "../account/user.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { noSuch, Refusal } from "../errors.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { IdScalar, RecordTypeScalar } from "../graphql/scalars/scalars.ts";
import { type Order, type Page, type PageRequest, page } from "../lists/pagination.ts";
import { type Actor, mayActFor, mayAdminister, mayWrite, sees } from "../session/authorization.ts";
import { parseField } from "../session/parse-field.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import type { WithNotices } from "../zone/edit/notice.ts";
import { checkContent } from "./check-content.ts";
import type { TemplateContent } from "./expand.ts";
import { VariableKind } from "./variable.ts";

@ObjectType("TemplateVariable", { description: "A variable of a template.", simpleResolvers: true })
export class Variable {
  @Field(() => String, { description: "Its name: `${name}` in owners and data stands for its value." })
  name!: string;

  @Field(() => VariableKind, { description: "The kind of its value." })
  kind!: VariableKind;

  @Field(() => String, { description: "What it is for." })
  description!: string;

  @Field(() => String, {
    nullable: true,
    description: "Its default value; null when a value must be given.",
  })
  default!: string | null;
}

@ObjectType("TemplateRecord", { description: "A record of a template.", simpleResolvers: true })
export class RecordOfTemplate {
  @Field(() => String, { description: "Its owner, with variables." })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "Its type." })
  type!: string;

  @Field(() => Int, { nullable: true, description: "Its time to live, seconds; null is the default of new records." })
  ttl!: number | null;

  @Field(() => String, { description: "Its data, with variables." })
  rdata!: string;
}

@ObjectType({
  description: "Records with variables, from which zones are made.",
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: "zone_template" })
@Index({
  name: "zone_template_name_index",
  expression: 'create unique index "zone_template_name_index" on "zone_template" (coalesce("user_id", 0), "name")',
})
export class ZoneTemplate {
  @Field(() => IdScalar, { description: "Its id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @ManyToOne(() => User, { fieldName: "user_id", nullable: true, deleteRule: "cascade", index: false })
  user?: User | null;

  @Field(() => String, { description: "Its name, unique among those of its user, or of the shared ones." })
  @Property({ type: "text", collation: "C" })
  name!: string;

  @Field(() => String, { description: "What it is for." })
  @Property({ type: "text" })
  description!: string;

  @Field(() => Int, { description: "Number of the revision; each update adds 1." })
  @Property({ type: "integer" })
  revision!: number;

  @Field(() => [Variable], { description: "Its variables." })
  @Property({ type: "json", columnType: "jsonb" })
  variables!: Variable[];

  @Field(() => [RecordOfTemplate], { description: "Its records." })
  @Property({ type: "json", columnType: "jsonb" })
  records!: RecordOfTemplate[];
}

const t = table(ZoneTemplate, "t");
const columns = t.columns("id", "userId", "name", "description", "revision", "variables", "records");

export type TemplateRow = RowOf<typeof columns>;

export interface NewTemplate extends TemplateContent {
  readonly name: string;
  readonly description: string;
  readonly userId: number | undefined;
}

/** New values of a template; an undefined field stays. */
type TemplateUpdate = Partial<TemplateContent & Pick<NewTemplate, "name" | "description">>;

export interface WrittenTemplate extends WithNotices {
  readonly template: TemplateRow;
}

/** The SQL condition that the actor sees template t: it is shared, or the user's own. */
const seesTemplate = (actor: Actor): Sql<boolean> => sql<boolean>`(${t.userId} is null or ${sees(actor, t.userId)})`;

const byName: Order<TemplateRow> = {
  name: "template.NAME",
  columns: [t.name, t.id],
  kinds: ["string", "number"],
  descending: false,
  key: ({ name, id }) => [name, id],
};

export function listTemplates(session: Session, request: PageRequest): Promise<Page<TemplateRow>> {
  const list = { columns, from: t, conditions: [seesTemplate(session.actor)], order: byName };
  return page(session, list, request);
}

export async function templatesByIds(session: Session, ids: readonly number[]): Promise<TemplateRow[]> {
  const query = sql<TemplateRow>`select ${columns} from ${t} where ${t.id} = any(${ids}) and ${seesTemplate(session.actor)}`;
  return query.run(session);
}

export async function templateById(session: Session, id: number, field = "id"): Promise<TemplateRow> {
  const [row] = await templatesByIds(session, [id]);
  if (!row) throw noSuch("template", id, field);
  return row;
}

/** Returns the template of this name of a user, or the shared one; throws NOT_FOUND when the session sees no such template. */
export async function templateByName(session: Session, name: string, userId: number | null): Promise<TemplateRow> {
  const query = sql<TemplateRow>`
    select ${columns} from ${t}
    where ${t.name} = ${name} and (${t.userId} is null or ${t.userId} = ${userId}) and ${seesTemplate(session.actor)}
    order by ${t.userId} nulls last limit 1`;
  const [row] = await query.run(session);
  if (!row) throw noSuch("template", name, "name");
  return row;
}

/** Returns the shared template that DEFAULT_TEMPLATE names; throws NOT_FOUND when it no longer exists. */
export async function sharedTemplate(session: Session, name: string): Promise<TemplateRow> {
  const query = sql<TemplateRow>`select ${columns} from ${t} where ${t.name} = ${name} and ${t.userId} is null`;
  const [row] = await query.run(session);
  if (row) return row;
  const message = `There is no shared template ${JSON.stringify(name)}, which DEFAULT_TEMPLATE names for new domains; name another.`;
  throw new Refusal("NOT_FOUND", message, { field: "templateId" });
}

/** Creates a template; throws when it does not give valid zones. */
export async function createTemplate(session: Session, { userId, ...fields }: NewTemplate): Promise<WrittenTemplate> {
  mayWriteTemplate(session.actor, userId ?? null);
  const { name, description, variables } = fields;
  const records = canonical(fields.records);
  const warned = await checkContent(session, { variables, records });
  const query = sql<TemplateRow>`
    insert into ${t} (${t.names("userId", "name", "description", "revision", "variables", "records")})
    values (${userId ?? null}, ${name}, ${description}, 1, ${JSON.stringify(variables)}::jsonb, ${JSON.stringify(records)}::jsonb)
    on conflict do nothing returning ${columns}`;
  return transaction(session, async (inner) => {
    if (userId !== undefined) await holdUser(inner, userId);
    const [template] = await query.run(inner);
    if (!template) throw duplicate(name);
    return { template, ...warned };
  });
}

/** Changes a template; its zones stay as they are. Throws INVALID_VALUE when it is not at the expected revision. */
export function updateTemplate(
  session: Session,
  id: number,
  update: TemplateUpdate,
  expectedRevision?: number | null,
): Promise<WrittenTemplate> {
  return transaction(session, async (inner) => {
    const stored = await lockTemplate(inner, id);
    if (typeof expectedRevision === "number" && expectedRevision !== stored.revision) {
      const message = `expectedRevision: the template is at revision ${stored.revision}; read it again.`;
      throw new Refusal("INVALID_VALUE", message, { field: "expectedRevision" });
    }
    const { name, description, variables, ...rest } = { ...stored, ...update };
    const records = canonical(rest.records);
    const warned = await checkContent(inner, { variables, records });
    if (name !== stored.name && (await isTaken(inner, stored.userId, name))) throw duplicate(name);
    const query = sql<TemplateRow>`
      update ${t} set ${t.names("name")} = ${name}, ${t.names("description")} = ${description},
        ${t.names("revision")} = ${t.revision} + 1, ${t.names("variables")} = ${JSON.stringify(variables)}::jsonb,
        ${t.names("records")} = ${JSON.stringify(records)}::jsonb
      where ${t.id} = ${id} returning ${columns}`;
    return { template: (await query.run(inner))[0] as TemplateRow, ...warned };
  });
}

/** Deletes a template; its zones stay. */
export async function deleteTemplate(session: Session, id: number): Promise<void> {
  await transaction(session, async (inner) => {
    await lockTemplate(inner, id);
    await sql`delete from ${t} where ${t.id} = ${id}`.run(inner);
    return { id };
  });
}

/** Locks a template until the transaction ends, and returns it; throws when the session may not write it. */
async function lockTemplate(session: Session, id: number): Promise<TemplateRow> {
  mayWrite(session.actor);
  const query = sql<TemplateRow>`
    select ${columns} from ${t} where ${t.id} = ${id} and ${seesTemplate(session.actor)} for update`;
  const [row] = await query.run(session);
  if (!row) throw noSuch("template", id);
  mayWriteTemplate(session.actor, row.userId);
  return row;
}

/** Returns the records with types as mnemonics; throws UNSUPPORTED_TYPE for an unknown type. */
const canonical = (records: TemplateContent["records"]) =>
  records.map((record, at) => ({
    ...record,
    type: parseField(`records.${at}.type`, () => recordType(record.type).mnemonic),
  }));

async function isTaken(session: Session, userId: number | null, name: string): Promise<boolean> {
  const query = sql`select from ${t} where ${t.name} = ${name} and ${t.userId} is not distinct from ${userId}::bigint`;
  return (await query.run(session)).length > 0;
}

/** Throws when the actor may not write templates of this user, or shared ones. A key that is limited to zones writes no templates. */
function mayWriteTemplate(actor: Actor, userId: number | null): void {
  if (userId === null) mayAdminister(actor);
  else mayActFor(actor, userId, "userId");
  if (!actor.zones) return;
  throw new Refusal("FORBIDDEN", `This key is limited to ${actor.zones.join(", ")}; use a key without that limit.`);
}

function duplicate(name: string): Refusal {
  return new Refusal("INVALID_VALUE", `name: there is a template ${JSON.stringify(name)} already; choose another.`, {
    field: "name",
  });
}
