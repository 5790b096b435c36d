/**
 * A domain: a zone with its records, which belongs to a user. This file has the entity and its reads. edit/change-zone.ts writes its
 * serial and records; lifecycle/domain-lifecycle.ts creates, transfers and deletes it.
 */
import { BigIntType } from "@mikro-orm/core";
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { ReviewPolicy } from "../account/review-policy.ts";
import { User } from "../account/user.ts";
import { asciiLabels } from "../dns/idna.ts";
import { parseZoneName, unicodeName } from "../dns/name.ts";
import { noSuch, Refusal } from "../errors.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { DateTimeScalar, IdScalar, SerialScalar } from "../graphql/scalars/scalars.ts";
import {
  byId,
  type CreatedRange,
  type ListQuery,
  type Order,
  type Page,
  type PageRequest,
  page,
  pagesOf,
} from "../lists/pagination.ts";
import { createdWithin, equal, type Relation, type Selector, selected } from "../lists/relation.ts";
import { contains, containsTrigram } from "../lists/text-search.ts";
import { seesZone } from "../session/authorization.ts";
import { parseField } from "../session/parse-field.ts";
import type { Session } from "../session/session.ts";
import { Reference, type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { type Labels, withLabels } from "./label.ts";
import { ZoneHistory } from "./zone-history.ts";

@ObjectType({
  description: "A DNS zone that belongs to one user and holds records.",
  implements: [Node, ZoneHistory],
  simpleResolvers: true,
})
@Entity({ tableName: "domain" })
@Check({ name: "domain_serial_check", expression: "serial >= 0 and serial <= 4294967295" })
@Index({ name: "domain_user_id_zone_index", properties: ["user", "zone"] })
@Index({
  name: "domain_reverse_index",
  expression: 'create index "domain_reverse_index" on "domain" (reverse("zone") collate "C")',
})
@Index({
  name: "domain_search_index",
  expression: 'create index "domain_search_index" on "domain" using gin ("zone" gin_trgm_ops)',
})
@Index({
  name: "domain_labels_index",
  expression: 'create index "domain_labels_index" on "domain" using gin ("labels")',
})
export class Domain {
  @Field(() => IdScalar, { description: "Its id; REST calls it zone_id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @Field(() => String, { description: "DNS name of the zone: lower case, A-labels (RFC 5890), no trailing dot." })
  @Property({ type: "text", collation: "C", unique: "domain_zone_key" })
  zone!: string;

  /** Null for the catalog alone. */
  @ManyToOne(() => User, { fieldName: "user_id", nullable: true, deleteRule: "no action", index: false })
  user?: User | null;

  /** The domain's label in the catalog zone (RFC 9432 §4.1); a new one makes every secondary fetch the zone again. */
  @Property({ type: "uuid", unique: "domain_member_id_key", defaultRaw: "gen_random_uuid()" })
  memberId!: string;

  @Field(() => SerialScalar, { description: "SOA serial of the zone as it is committed (RFC 1982)." })
  @Property({ type: new BigIntType("number") })
  serial!: number;

  @Field(() => Int, {
    description: "Number of its records, with SOA and NS; cheap to read.",
  })
  @Property({ type: "integer", default: 0 })
  recordCount!: number;

  /** Whether the domain's changes count towards quotas of its user (quota/). */
  @Property({ type: "boolean", default: false, hidden: true })
  metered!: boolean;

  @Field(() => DateTimeScalar, { description: "When the domain was created." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;

  @Field(() => ReviewPolicy, {
    nullable: true,
    description: "The zone's own review policy; null when that of its user applies.",
  })
  @Property({ type: "text", nullable: true })
  review?: ReviewPolicy | null;

  /** The review in force: the domain's own or its user's. It is updated whenever either of the two is. The catalog has NONE. */
  @Property({ type: "text", default: ReviewPolicy.NONE, hidden: true })
  demands!: ReviewPolicy;

  @Property({ type: "json", columnType: "jsonb", defaultRaw: "'{}'", hidden: true })
  labels!: Labels;

  @Property({ type: "json", columnType: "jsonb", nullable: true, hidden: true })
  template?: AppliedTemplate | null;
}

export interface AppliedTemplate {
  readonly templateId: number;
  readonly revision: number;
  readonly values: Readonly<Record<string, string>>;
}

const d = table(Domain, "d");

export const domainColumns = d.columns("id", "zone", "serial", "userId", "recordCount", "createdAt", "review");

/** A domain, as a plain row. `serial` is 0…4294967295 (RFC 1982); `userId` is null for the catalog alone. */
export type DomainRow = RowOf<typeof domainColumns>;

export const storedDomainColumns = domainColumns.and(d.columns("metered", "demands"));

/** A domain that is about to change. `demands` is the review in force; `metered` is whether quotas count it. */
export type StoredDomain = RowOf<typeof storedDomainColumns>;

/** Whether a domain is still as it was read, so that a change made for it may be stored. Every change raises the serial. */
export const isAsRead = (read: StoredDomain, now: StoredDomain) =>
  (["id", "serial", "userId", "metered", "demands"] as const).every((name) => read[name] === now[name]);

export const labelsOfDomain = d.labels;

const owner = table(User, "owner");

export const approvalsOfDomain = new Reference<number | null>(
  `case coalesce(${d.review}, (select ${owner.review} from ${owner} where ${owner.id} = ${d.userId}))
    when '${ReviewPolicy.CHANGE_SET}' then 0 when '${ReviewPolicy.ONE}' then 1 when '${ReviewPolicy.TWO}' then 2 end`,
);

export const domainOrders = {
  ZONE: byZone("domain.ZONE", false),
  ZONE_DESC: byZone("domain.ZONE_DESC", true),
  CREATED: byId<DomainRow>("domain.CREATED", d.id, false),
  CREATED_DESC: byId<DomainRow>("domain.CREATED_DESC", d.id, true),
} satisfies Record<string, Order<DomainRow>>;

function byZone(name: string, descending: boolean): Order<DomainRow> {
  return { name, columns: [d.zone], kinds: ["string"], descending, key: (row) => [row.zone] };
}

/**
 * A filter of domains; a domain must match every field. `zone` and `zones` are names in any spelling, `zoneContains` is a part of a name.
 */
export interface DomainFilter extends CreatedRange {
  readonly id?: number | undefined;
  readonly zone?: string | undefined;
  readonly zones?: readonly string[] | undefined;
  readonly zoneContains?: string | undefined;
  readonly userId?: number | undefined;
  readonly labels?: readonly string[] | undefined;
}

const zoneContains = containsTrigram(d.zone);

export const domains = {
  columns: domainColumns,
  from: d,
  sees: (actor) => seesZone(actor, d.userId, d.zone),
  orders: domainOrders,
  selectors: {
    ...createdWithin(d.createdAt),
    id: equal<number>(d.id),
    zone: { ...equal<string>(d.zone), read: (zone) => readZone(zone) },
    zones: {
      read: (zones) => zones.map((zone, at) => readZone(zone, `zones.${at}`)),
      where: (zones) => sql<boolean>`${d.zone} = any(${zones})`,
    } satisfies Selector<readonly string[]>,
    zoneContains: { ...contains(d.zone), read: asciiLabels },
    userId: equal<number>(d.userId),
    labels: withLabels(d.labels),
  },
  indexed: { zoneContains: { ...zoneContains, read: (part: string) => zoneContains.read(asciiLabels(part)) } },
} as const satisfies Relation<DomainRow>;

/** An order of domains, with the tables and columns that it takes. */
export type DomainSort = Pick<ListQuery<DomainRow>, "columns" | "from" | "order">;

export const domainsBy = (order: keyof typeof domainOrders): DomainSort => ({ ...domains, order: domainOrders[order] });

/** One page of the domains that the session sees; `also` are further conditions on domain `d`. */
export function listDomains(
  session: Session,
  filter: DomainFilter,
  request: PageRequest,
  sort: DomainSort,
  also: readonly Sql<boolean>[] = [],
): Promise<Page<DomainRow>> {
  const conditions = [domains.sees(session.actor), ...selected(domains.selectors, filter), ...also];
  return page(session, { ...sort, conditions }, request);
}

export async function domainsByIds(session: Session, ids: readonly number[]): Promise<DomainRow[]> {
  const query = sql<DomainRow>`
    select ${domainColumns} from ${d} where ${d.id} = any(${ids}) and ${domains.sees(session.actor)}`;
  return query.run(session);
}

export function domainsOfUsers(
  session: Session,
  userIds: readonly number[],
  request: PageRequest,
  sort: DomainSort,
): Promise<Page<DomainRow>[]> {
  const list = { ...sort, conditions: [domains.sees(session.actor)] };
  return pagesOf(session, list, d.userId, userIds, request);
}

/** Returns a domain by its zone name in any spelling; throws NOT_FOUND when the session sees no such zone. */
export async function domainByZone(session: Session, zone: string, field = "zone"): Promise<DomainRow> {
  const name = readZone(zone, field);
  const query = sql<DomainRow>`
    select ${domainColumns} from ${d} where ${d.zone} = ${name} and ${domains.sees(session.actor)}`;
  const [row] = await query.run(session);
  if (!row) throw noSuchZone(name, field);
  return row;
}

export async function unknownZones(session: Session, names: readonly string[]): Promise<string[]> {
  const query = sql<{ zone: string }>`
    select ${d.zone} from ${d} where ${d.zone} = any(${names}) and ${domains.sees(session.actor)}`;
  const existing = new Set((await query.run(session)).map(({ zone }) => zone));
  return names.filter((name) => !existing.has(name));
}

/**
 * Returns the domain that matches every field; throws NOT_FOUND when the session sees no such domain, and MISSING_FIELD for an empty
 * filter.
 */
export async function findDomain(session: Session, filter: Pick<DomainFilter, "id" | "zone">): Promise<DomainRow> {
  if (Object.keys(filter).length === 0)
    throw new Refusal("MISSING_FIELD", "zone is missing; send the name or the id of a zone.", { field: "zone" });
  const { rows } = await listDomains(session, filter, { first: 1 }, domainsBy("ZONE"));
  if (rows[0]) return rows[0];
  throw filter.zone === undefined ? noSuch("domain", filter.id) : noSuchZone(readZone(filter.zone));
}

/** Returns `zone` as it was sent, or else the zone name of the domain `id`; throws NOT_FOUND for an unknown id. */
export async function zoneNamed(session: Session, { id, zone }: Pick<DomainFilter, "id" | "zone">): Promise<string> {
  return zone ?? (await findDomain(session, { id })).zone;
}

/** Returns the canonical form of a zone name in any spelling; throws INVALID_NAME. */
export function readZone(zone: string, field = "zone"): string {
  return parseField(field, () => parseZoneName(zone));
}

/**
 * The refusal of a zone that does not exist or that the session does not see. It does not advise to create the zone: a deleted zone of
 * that name could then not be restored.
 */
export function noSuchZone(zone: string, field = "zone"): Refusal {
  return new Refusal("NOT_FOUND", `There is no zone ${unicodeName(zone)}; check the name.`, { field });
}
