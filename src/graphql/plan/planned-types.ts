/**
 * The part of the schema that can be planned: the relation of each object type, and its fields that are not plain
 * columns. Any other field makes an operation unplannable. The resolvers of the same fields are in graphql/schema.
 */
import { users } from "../../account/user.ts";
import { changeSets } from "../../changeset/change-set.ts";
import { changeSetsOfZones } from "../../changeset/change-set-list.ts";
import { unicodeName } from "../../dns/name.ts";
import type { Order } from "../../lists/pagination.ts";
import type { AnySelector, Relation } from "../../lists/relation.ts";
import { type Published, publicationRelation, readServed } from "../../secondary/publication.ts";
import type { Actor } from "../../session/authorization.ts";
import { slot } from "../../sql/slot.ts";
import type { Sql } from "../../sql/sql.ts";
import { type ChangeKind, changes, undoneByOfChange } from "../../zone/change.ts";
import { ofZone, selectorsOfChanges } from "../../zone/change-list.ts";
import { onSideOf, recordsOfJournal } from "../../zone/change-record.ts";
import { sidesOfChange, summaryOf } from "../../zone/change-summary.ts";
import { userIdOfChange } from "../../zone/change-user.ts";
import { approvalsOfDomain, domains, labelsOfDomain } from "../../zone/domain.ts";
import { timeOfWriter, writerOfRecord } from "../../zone/history/blame.ts";
import { type Labels, listedLabels } from "../../zone/label.ts";
import { notes } from "../../zone/note.ts";
import { noteOfRecord, readOwner, recordOrdersInZone, records, selectorsAcrossZones } from "../../zone/record.ts";
import { commonTtl, countsByType, readCounts } from "../../zone/record-counts.ts";
import { isFoundByIndex, isSearch } from "../../zone/record-list.ts";
import { typedData } from "../schema/record/record-data.ts";
import type { Given } from "./plan-run.ts";

/** The planned nouns. Each has the name of its object type, except for publications. */
export type NounName =
  | "User"
  | "Domain"
  | "Record"
  | "Change"
  | "ChangedRecord"
  | "ChangeSet"
  | "ChangeSetOfZone"
  | "RrsetNote"
  | "DomainPublication"
  | "ChangePublication";

// biome-ignore lint/suspicious/noExplicitAny: each noun has rows of its own
type AnyRelation = Relation<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyOrders = Readonly<Record<string, Order<any>>>;

/** A field that a function computes from columns without nulls: a leaf, an object, or a list of either. */
export interface ValueField {
  readonly columns: readonly string[];
  readonly value: (columns: readonly string[], given: Given) => unknown;
}

/** A field that is one row of another noun: the row whose id is in the column `id`. */
export interface OneField {
  readonly noun: NounName;
  readonly id: string;
  /** Whether the field is null when the row does not exist or the actor does not see it. */
  readonly isOptional?: boolean;
}

/** How arguments select rows. */
export interface SelectedBy {
  /** The names of the arguments that select rows. */
  readonly selectors: readonly string[];
  /** Selectors that replace those of the relation, by name. */
  readonly others?: Readonly<Record<string, AnySelector>>;
  /** Readers of arguments, by name; `others` are the values of the other arguments. */
  readonly read?: Readonly<Record<string, (value: never, others: ReadonlyMap<string, unknown>) => unknown>>;
}

/** A field that is a list of another noun: the rows whose column `parent` has the id of this row. */
export interface ManyField extends SelectedBy {
  readonly noun: NounName;
  readonly parent: string;
  readonly orders: AnyOrders;
  /** Whether an actor who sees this row sees the rows of the list. */
  readonly isSeenWithParent: boolean;
  /** Further conditions over the columns of this row. */
  readonly where?: (column: (name: string) => Sql) => readonly Sql[];
  /**
   * Readers of arguments whose value depends on a column of this row. The statement uses the value that `read` returns before the row is
   * known; if the value read with the row is different, the plan gives up.
   */
  readonly readIn?: Readonly<
    Record<string, { readonly column: string; readonly read: (value: string, cell: string) => unknown }>
  >;
}

export interface Noun {
  readonly relation: AnyRelation;
  /** Further columns, as SQL over the noun's own table. */
  readonly columns?: Readonly<Record<string, Sql>>;
  readonly values?: Readonly<Record<string, ValueField>>;
  readonly one?: Readonly<Record<string, OneField>>;
  readonly many?: Readonly<Record<string, ManyField>>;
}

export const nouns: Readonly<Record<NounName, Noun>> = {
  User: {
    relation: users,
    many: {
      domains: { noun: "Domain", parent: "userId", orders: domains.orders, selectors: [], isSeenWithParent: false },
    },
  },
  Domain: {
    relation: domains,
    columns: {
      requiredApprovals: approvalsOfDomain,
      labels: labelsOfDomain,
      defaultTtl: commonTtl,
      recordCounts: countsByType,
    },
    values: {
      zoneUnicode: { columns: ["zone"], value: ([zone = ""]) => unicodeName(zone) },
      labels: { columns: ["labels"], value: ([labels = ""]) => listedLabels(JSON.parse(labels) as Labels) },
      recordCounts: { columns: ["recordCounts"], value: ([counts = ""]) => readCounts(counts) },
    },
    one: { user: { noun: "User", id: "userId" }, publication: { noun: "DomainPublication", id: "id" } },
    many: {
      records: {
        noun: "Record",
        parent: "domainId",
        orders: recordOrdersInZone,
        selectors: ["owner", "ownerPrefix", "types", "rdataContains"],
        read: { owner: (owner: string) => readOwner(owner) },
        readIn: { owner: { column: "zone", read: readOwner } },
        isSeenWithParent: true,
      },
      changes: { noun: "Change", parent: "domainId", orders: changes.orders, selectors: [], isSeenWithParent: false },
      changeSets: {
        noun: "ChangeSetOfZone",
        parent: "domainId",
        orders: changeSetsOfZones.orders,
        selectors: ["states"],
        isSeenWithParent: false,
      },
      notes: { noun: "RrsetNote", parent: "domainId", orders: notes.orders, selectors: [], isSeenWithParent: true },
    },
  },
  Record: {
    relation: records,
    columns: { note: noteOfRecord, changedBy: writerOfRecord, changedAt: timeOfWriter },
    values: {
      ownerUnicode: { columns: ["owner"], value: ([owner = ""]) => unicodeName(owner) },
      data: { columns: ["type", "rdata"], value: ([type = "", rdata = ""]) => typedData(type, rdata) },
    },
    one: {
      domain: { noun: "Domain", id: "domainId" },
      changedBy: { noun: "Change", id: "changedBy", isOptional: true },
    },
  },
  Change: {
    relation: changes,
    columns: { userId: userIdOfChange, sides: sidesOfChange, undoneBy: undoneByOfChange },
    values: {
      summary: summaryColumn("text"),
      addedCount: summaryColumn("addedCount"),
      removedCount: summaryColumn("removedCount"),
    },
    one: {
      publication: { noun: "ChangePublication", id: "id" },
      domain: { noun: "Domain", id: "domainId", isOptional: true },
      user: { noun: "User", id: "userId", isOptional: true },
      undoes: { noun: "Change", id: "undoes", isOptional: true },
      undoneBy: { noun: "Change", id: "undoneBy", isOptional: true },
      returnsTo: { noun: "Change", id: "returnsTo", isOptional: true },
      changeSet: { noun: "ChangeSet", id: "changeSetId", isOptional: true },
    },
    many: { removed: sideOfChange(true), added: sideOfChange(false) },
  },
  ChangedRecord: { relation: recordsOfJournal },
  ChangeSet: { relation: changeSets },
  ChangeSetOfZone: { relation: changeSetsOfZones },
  RrsetNote: { relation: notes },
  DomainPublication: publicationOf("domain"),
  ChangePublication: publicationOf("change"),
};

/** A part of the summary of a change. */
function summaryColumn(part: keyof ReturnType<typeof summaryOf>) {
  const value = ([kind, sides = ""]: readonly string[]) => summaryOf(kind as ChangeKind, sides)[part];
  return { columns: ["kind", "sides"], value };
}

function publicationOf(of: Published): Noun {
  const times = {
    now: slot(({ times }: Given) => times().now),
    lateLimit: slot(({ times }: Given) => times().lateLimit),
  };
  const secondaries = ([served = ""]: readonly string[], { actor }: Given) => readServed(served, actor.role);
  return {
    relation: publicationRelation(of, times),
    values: { secondaries: { columns: ["served"], value: secondaries } },
  };
}

function sideOfChange(removed: boolean): ManyField {
  return {
    noun: "ChangedRecord",
    parent: "changeId",
    orders: recordsOfJournal.orders,
    selectors: [],
    isSeenWithParent: true,
    where: (column) => onSideOf(removed, column("domainId")),
  };
}

/** How a list of the query type is read. */
export interface Listing {
  readonly orders: AnyOrders;
  /** Whether the list may read many rows to find few. */
  readonly isSearch?: boolean;
  /**
   * How a list across zones is read: the rows that an index finds are sorted, or it is read zone by zone, or domain by
   * domain.
   */
  readonly acrossZones?: "found" | "walked" | "ofDomains" | undefined;
  readonly others?: SelectedBy["others"];
}

/** A field of the query type: one row, or the list of the rows that the actor sees. */
export interface Root extends Omit<SelectedBy, "others"> {
  readonly noun: NounName;
  /**
   * How the list is read, given the names of the sent arguments, the order and the actor's role. A field of one row has
   * none.
   */
  readonly listing?: (given: ReadonlySet<string>, order: string | undefined, role: Actor["role"]) => Listing;
}

/** The planned fields of the query type. */
export const roots: Readonly<Record<string, Root>> = {
  user: { noun: "User", selectors: ["id", "email"] },
  domain: { noun: "Domain", selectors: ["id", "zone"] },
  record: { noun: "Record", selectors: ["id"] },
  change: { noun: "Change", selectors: ["id"] },
  changes: {
    noun: "Change",
    selectors: ["zone", "actor", "source", "createdSince", "createdBefore"],
    listing: (given, _order, role) => ({
      orders: changes.orders,
      isSearch: Object.keys(selectorsOfChanges).some((name) => given.has(name)),
      others: { ...selectorsOfChanges, zone: ofZone },
      acrossZones: given.has("zone") || role === "user" ? "ofDomains" : undefined,
    }),
  },
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
