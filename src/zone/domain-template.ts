/**
 * The templates that domains were made from, or that were applied to them last, as the domains remember them.
 */

import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { type AppliedTemplate, Domain, domains } from "./domain.ts";

const d = table(Domain, "d");

/** The templates of those of these domains that the session sees and that were made from one, by the ids of the domains. */
export async function templatesOfDomains(
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AppliedTemplate>> {
  const query = sql<{ id: number; template: AppliedTemplate }>`
    select ${d.columns("id", "template")} from ${d}
    where ${d.id} = any(${ids}) and ${d.template} is not null and ${domains.sees(session.actor)}`;
  return new Map((await query.run(session)).map(({ id, template }) => [id, template]));
}

/** Lets domains, which the session's transaction has locked, remember the templates that are applied to them. */
export async function rememberTemplates(
  session: Session,
  applied: readonly { readonly zone: string; readonly template: AppliedTemplate }[],
): Promise<void> {
  await sql`
    update ${d} set ${d.names("template")} = a.template
    from json_to_recordset(${JSON.stringify(applied)}::json) as a(zone text, template jsonb)
    where ${d.zone} = a.zone`.run(session);
}
