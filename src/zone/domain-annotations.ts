/** The labels of domains, and the templates that were last applied to them. Writing them makes no change of the zone. */
import { mayWrite } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import {
  type AppliedTemplate,
  Domain,
  type DomainRow,
  domainColumns,
  domains,
  noSuchZone,
  readZone,
} from "./domain.ts";
import { type Label, type Labels, listedLabels, readLabels } from "./label.ts";

const d = table(Domain, "d");

export async function setLabels(session: Session, zone: string, labels: readonly Label[]): Promise<DomainRow> {
  mayWrite(session.actor);
  const name = readZone(zone);
  const query = sql<DomainRow>`
    update ${d} set ${d.names("labels")} = ${JSON.stringify(readLabels(labels))}::jsonb
    where ${d.zone} = ${name} and ${domains.sees(session.actor)} returning ${domainColumns}`;
  const [row] = await transaction(session, (inner) => query.run(inner));
  if (!row) throw noSuchZone(name);
  return row;
}

export async function labelsOfDomains(
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Label[]>> {
  const query = sql<{ id: number; labels: Labels }>`
    select ${d.columns("id", "labels")} from ${d} where ${d.id} = any(${ids}) and ${domains.sees(session.actor)}`;
  const rows = await query.run(session);
  return new Map(rows.map(({ id, labels }) => [id, listedLabels(labels)]));
}

export async function templatesOfDomains(
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AppliedTemplate>> {
  const query = sql<{ id: number; template: AppliedTemplate }>`
    select ${d.columns("id", "template")} from ${d}
    where ${d.id} = any(${ids}) and ${d.template} is not null and ${domains.sees(session.actor)}`;
  return new Map((await query.run(session)).map(({ id, template }) => [id, template]));
}

/** Stores the templates that are applied to domains; the session's transaction has locked the domains. */
export async function rememberTemplates(
  session: Session,
  applied: readonly { readonly zone: string; readonly template: AppliedTemplate }[],
): Promise<void> {
  await sql`
    update ${d} set ${d.names("template")} = a.template
    from json_to_recordset(${JSON.stringify(applied)}::json) as a(zone text, template jsonb)
    where ${d.zone} = a.zone`.run(session);
}
