/** The record types and TTLs of the service. */
import type { RecordTypesQuery } from "./generated/graphql.ts";

export type RecordTypeInfo = NonNullable<RecordTypesQuery["recordTypes"]>[number];
export type RecordField = RecordTypeInfo["fields"][number];

export interface RecordTypes {
  /** The types that records can be created of, the common ones first, the others by name. */
  readonly types: readonly RecordTypeInfo[];
  readonly ttls: NonNullable<RecordTypesQuery["ttlPolicy"]>;
}

/** What is known of a type by its mnemonic. */
export const typeNamed = ({ types }: RecordTypes, name: string | undefined) => types.find(({ type }) => type === name);
