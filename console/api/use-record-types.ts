/** The record types and TTLs of the service, read once. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { RecordTypeInfo, RecordTypes } from "./record-types.ts";
import { graphql, run } from "./run.ts";

const recordTypesQuery = graphql(`
  query RecordTypes {
    recordTypes {
      type code creatable description example rfc
      fields { name form kind max range description quoted optional }
    }
    ttlPolicy { choices default min max }
  }
`);

const noTypes: RecordTypes = { types: [], ttls: { choices: [], default: 3600, min: 0, max: 2 ** 31 - 1 } };

/** The types of most records, the commonest last. */
const commonTypes = ["CAA", "SRV", "NS", "TXT", "MX", "CNAME", "AAAA", "A"];

const byUse = (a: RecordTypeInfo, b: RecordTypeInfo) =>
  commonTypes.indexOf(b.type) - commonTypes.indexOf(a.type) || (a.type < b.type ? -1 : 1);

const recordTypesOptions = queryOptions({
  queryKey: ["record-types"],
  queryFn: async ({ signal }): Promise<RecordTypes> => {
    const { recordTypes, ttlPolicy } = await run(recordTypesQuery, {}, signal);
    const types = (recordTypes ?? []).filter(({ creatable }) => creatable);
    return { types: types.toSorted(byUse), ttls: ttlPolicy ?? noTypes.ttls };
  },
  staleTime: "static",
  gcTime: Number.POSITIVE_INFINITY,
  retry: true,
});

/** The types; none until they are read. */
export const useRecordTypes = (): RecordTypes => useQuery(recordTypesOptions).data ?? noTypes;
