/**
 * What plans know of the schema: the relation of each object type, and the fields that are not columns of it. A field that is not here,
 * nor a column without a resolver, is not planned. The resolvers of the same fields are in graphql/schema.
 */
import type { Expression } from "kysely";
import { users } from "../../account/user.ts";
import { unicodeName } from "../../dns/name.ts";
import type { Order } from "../../sql/pagination.ts";
import type { AnySelector, Relation } from "../../sql/relation.ts";
import { domains } from "../../zone/domain.ts";
import { noteOfRecord, readOwner, recordOrdersInZone, records, selectorsAcrossZones } from "../../zone/record.ts";
import { isFoundByIndex, isSearch } from "../../zone/record-list.ts";
import { typedData } from "../schema/record-data.ts";

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

/** A field that is an object which a function of the row's columns returns, with the name of its type. */
export interface ObjectField {
  readonly columns: readonly string[];
  readonly value: (...columns: string[]) => Readonly<Record<string, unknown>> & { readonly typeName: string };
}

/** A field that is one row of another noun: the one whose id is in a column. */
export interface OneField {
  readonly noun: NounName;
  readonly id: string;
}

/** What selects rows. */
export interface SelectedBy {
  /** The names of the arguments. */
  readonly selectors: readonly string[];
  /** Selectors in place of those that the relation has for some of them. */
  readonly others?: Readonly<Record<string, AnySelector>>;
  /** Reads an argument whose meaning depends on another. */
  readonly read?: Readonly<Record<string, (value: never, others: ReadonlyMap<string, unknown>) => unknown>>;
}

/** A field that is a list of another noun: the rows whose column has the id of this one. */
export interface ManyField extends SelectedBy {
  readonly noun: NounName;
  readonly parent: string;
  readonly orders: AnyOrders;
  /** Whether who sees this row sees those of the list. */
  readonly isSeenWithParent: boolean;
}

export interface Noun {
  readonly relation: AnyRelation;
  readonly computed: Readonly<Record<string, ComputedField>>;
  /** Fields that are a text or null, as SQL over the columns of the relation's own table. */
  readonly texts?: Readonly<Record<string, Expression<string | null>>>;
  readonly objects?: Readonly<Record<string, ObjectField>>;
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
        selectors: ["ownerPrefix", "types", "rdataContains"],
        isSeenWithParent: true,
      },
    },
  },
  Record: {
    relation: records,
    computed: { ownerUnicode: { columns: ["owner"], value: unicodeName } },
    texts: { note: noteOfRecord },
    objects: { data: { columns: ["type", "rdata"], value: typedData } },
    one: { domain: { noun: "Domain", id: "domainId" } },
    many: {},
  },
};

/** How a list of the query type is read. */
export interface Listing {
  readonly orders: AnyOrders;
  /** Whether many rows may be looked at to find few. */
  readonly isSearch?: boolean;
  /** Across zones in the order of their names: what is found by an index is sorted, or the zones are walked. */
  readonly acrossZones?: "found" | "walked" | undefined;
  readonly others?: SelectedBy["others"];
}

/** A field of the query type: one row, or a list of those that the key sees. */
export interface Root extends Omit<SelectedBy, "others"> {
  readonly noun: NounName;
  /** How a list is read in which arguments of these names are given, in the order of this name; undefined for one row. */
  readonly listing?: (given: ReadonlySet<string>, order: string | undefined) => Listing;
}

/** The planned fields of the query type. */
export const roots: Readonly<Record<string, Root>> = {
  user: { noun: "User", selectors: ["id", "email"] },
  domain: { noun: "Domain", selectors: ["id", "zone"] },
  record: { noun: "Record", selectors: ["id"] },
  users: {
    noun: "User",
    selectors: ["email", "createdSince", "createdBefore"],
    listing: () => ({ orders: users.orders }),
  },
  domains: {
    noun: "Domain",
    selectors: ["id", "zone", "zoneContains", "userId", "createdSince", "createdBefore"],
    listing: (given) => ({ orders: domains.orders, isSearch: given.has("zoneContains") }),
  },
  records: {
    noun: "Record",
    selectors: ["zone", "owner", "ownerPrefix", "types", "rdataContains", "userId"],
    listing: (given, order = "NAME") =>
      given.has("zone")
        ? { orders: recordOrdersInZone, isSearch: isSearch(given) }
        : {
            orders: records.orders,
            isSearch: isSearch(given),
            others: selectorsAcrossZones,
            acrossZones: order !== "NAME" ? undefined : isFoundByIndex(given) ? "found" : "walked",
          },
    read: { owner: (owner: string, others) => readOwner(owner, others.get("zone") as string) },
  },
};
