/**
 * The labels of domains: reads and replaces them. No change of the zone is made.
 */

import { mayWrite } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain, type DomainRow, domainColumns, domains, noSuchZone, readZone } from "./domain.ts";
import { type Label, type Labels, listedLabels, readLabels } from "./label.ts";

const d = table(Domain, "d");

/** Replaces the labels of a domain. */
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

/** The labels of these domains, as far as the session sees them, by their ids. */
export async function labelsOfDomains(
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Label[]>> {
  const query = sql<{ id: number; labels: Labels }>`
    select ${d.columns("id", "labels")} from ${d} where ${d.id} = any(${ids}) and ${domains.sees(session.actor)}`;
  const rows = await query.run(session);
  return new Map(rows.map(({ id, labels }) => [id, listedLabels(labels)]));
}
