/** The record types and the TTLs that the service knows. */
import { graphql } from "./generated/gql.ts";
import type { RecordTypesQuery } from "./generated/graphql.ts";

export const recordTypesQuery = graphql(`
  query RecordTypes {
    recordTypes {
      type code creatable description example rfc
      fields { name form kind max range description quoted optional }
    }
    ttlPolicy { choices default min max }
  }
`);

export type RecordTypeInfo = NonNullable<RecordTypesQuery["recordTypes"]>[number];
export type RecordField = RecordTypeInfo["fields"][number];
type TtlPolicy = NonNullable<RecordTypesQuery["ttlPolicy"]>;

export interface RecordTypes {
  /** The types that records can be created of, the common ones first. */
  readonly types: readonly RecordTypeInfo[];
  readonly ttls: TtlPolicy;
}

/** The fewest values that data of a type has; 1 for a type that is not known. */
export const fieldCountOf = (types: readonly RecordTypeInfo[], type: string): number =>
  types.find((each) => each.type === type)?.fields.filter(({ optional }) => !optional).length ?? 1;

/** What most records are. */
export const commonTypes = ["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV"];

export const noTypes: RecordTypes = { types: [], ttls: { choices: [], default: 3600, min: 0, max: 2 ** 31 - 1 } };
