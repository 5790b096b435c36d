/**
 * What plans know of the schema: the relation of each object type, and the fields that are not columns of it. A field that is not here,
 * nor a column without a resolver, is not planned. The resolvers of the same fields are in graphql/schema.
 */
import { users } from "../../account/user.ts";
import { unicodeName } from "../../dns/name.ts";
import type { Order } from "../../sql/pagination.ts";
import type { Relation } from "../../sql/relation.ts";
import { domains } from "../../zone/domain.ts";
import { readOwner, recordOrdersInZone, records } from "../../zone/record.ts";

/** The names of the planned object types. */
export type NounName = "User" | "Domain" | "Record";

// biome-ignore lint/suspicious/noExplicitAny: each noun has rows of its own
type AnyRelation = Relation<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyOrders = Readonly<Record<string, Order<any>>>;

/** A field that a function of the row's columns returns. */
export interface ComputedField {
  readonly columns: readonly string[];
  readonly value: (...columns: string[]) => unknown;
}

/** A field that is one row of another noun: the one whose id is in a column. */
export interface OneField {
  readonly noun: NounName;
  readonly id: string;
}

/** A field that is a list of another noun: the rows whose column has the id of this one. */
export interface ManyField {
  readonly noun: NounName;
  readonly parent: string;
  readonly orders: AnyOrders;
  /** The arguments that select rows. */
  readonly selectors: readonly string[];
  /** Whether who sees this row sees those of the list. */
  readonly isSeenWithParent: boolean;
}

export interface Noun {
  readonly relation: AnyRelation;
  readonly computed: Readonly<Record<string, ComputedField>>;
  readonly one: Readonly<Record<string, OneField>>;
  readonly many: Readonly<Record<string, ManyField>>;
}

export const nouns: Readonly<Record<NounName, Noun>> = {
  User: {
    relation: users,
    computed: {},
    one: {},
    many: {
      domains: { noun: "Domain", parent: "userId", orders: domains.orders, selectors: [], isSeenWithParent: false },
    },
  },
  Domain: {
    relation: domains,
    computed: { zoneUnicode: { columns: ["zone"], value: unicodeName } },
    one: { user: { noun: "User", id: "userId" } },
    many: {
      records: {
        noun: "Record",
        parent: "domainId",
        orders: recordOrdersInZone,
        selectors: ["ownerPrefix", "types"],
        isSeenWithParent: true,
      },
    },
  },
  Record: {
    relation: records,
    computed: { ownerUnicode: { columns: ["owner"], value: unicodeName } },
    one: { domain: { noun: "Domain", id: "domainId" } },
    many: {},
  },
};

/** A field of the query type: one row, or a list of those that the key sees. */
export interface Root {
  readonly noun: NounName;
  readonly isList: boolean;
  /** The arguments that select rows. */
  readonly selectors: readonly string[];
  /** The orders of a list, by whether arguments of these names are given; undefined where such a list is not planned. */
  readonly orders?: (given: ReadonlySet<string>) => AnyOrders | undefined;
  /** Reads an argument whose meaning depends on another. */
  readonly read?: Readonly<Record<string, (value: never, others: ReadonlyMap<string, unknown>) => unknown>>;
}

const { NAME: _, ...recordOrdersById } = records.orders;

/** The planned fields of the query type. */
export const roots: Readonly<Record<string, Root>> = {
  user: { noun: "User", isList: false, selectors: ["id", "email"] },
  domain: { noun: "Domain", isList: false, selectors: ["id", "zone"] },
  record: { noun: "Record", isList: false, selectors: ["id"] },
  users: {
    noun: "User",
    isList: true,
    selectors: ["email", "createdSince", "createdBefore"],
    orders: () => users.orders,
  },
  domains: {
    noun: "Domain",
    isList: true,
    selectors: ["id", "zone", "userId", "createdSince", "createdBefore"],
    orders: () => domains.orders,
  },
  records: {
    noun: "Record",
    isList: true,
    selectors: ["zone", "owner", "ownerPrefix", "types", "userId"],
    // Without a zone, a list by name walks all zones, and a filter may look at all records.
    orders: (given) => {
      if (given.has("zone")) return recordOrdersInZone;
      return ["owner", "ownerPrefix", "types"].some((name) => given.has(name)) ? undefined : recordOrdersById;
    },
    read: { owner: (owner: string, others) => readOwner(owner, others.get("zone") as string) },
  },
};
