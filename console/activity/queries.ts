/** What happened, page by page. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import type { ActivityFilter, ActivityKind, ActivityQuery } from "../api/generated/graphql.ts";
import { cursorPage, paged } from "../api/pages.ts";
import { graphql, run } from "../api/run.ts";
import { type Origin, timeAgo } from "../parts/stream/origin.tsx";

const activityQuery = graphql(`
  query Activity($filter: ActivityFilter, $after: String) {
    activity(filter: $filter, first: 50, after: $after) {
      endCursor
      nodes: entries {
        kind count at since
        node {
          __typename
          id
          ... on Change { ...StreamedChange }
          ... on ChangeSet { ...StreamedSet }
          ... on UpdateRefusal {
            createdAt zone code rcode reason address protocol keyName keyAlgorithm requestLines
            domain { id zoneUnicode }
          }
          ... on AuditEntry {
            createdAt source operation apiKeyId subjectId field meaning
            doer: actor
            client: address
            about: zone
            refusedFor: code
            user { id email }
            subject {
              __typename
              ... on User { name: email }
              ... on ApiKey { name }
              ... on TsigKey { name }
              ... on Secondary { name }
              ... on Webhook { name }
              ... on ZoneTemplate { name }
              ... on ChangeSet { name: title }
            }
          }
        }
      }
    }
  }
`);

/** Something that happened, or the same several times within an hour: the service folds it, within a page. */
export type Entry = NonNullable<ActivityQuery["activity"]>["nodes"][number];

/** What happened, of one type. */
export type NodeOf<Name extends Entry["node"]["__typename"]> = Extract<Entry["node"], { readonly __typename: Name }>;

/** What the stream is filtered by, as the address has it. */
export interface ActivitySelection extends Origin {
  readonly kind?: "changes" | "reviews" | "refused" | "access" | undefined;
  readonly zone?: string | undefined;
}

/** How often new ones are looked for while the stream is shown, ms. */
const lookMs = 10_000;

export const activityOptions = ({ kind, zone, who, through, time }: ActivitySelection) =>
  infiniteQueryOptions({
    queryKey: ["activity", { kind, zone, who, through, time }],
    ...paged,
    queryFn: async ({ pageParam, signal }) => {
      const ofKind = kind?.toUpperCase() as ActivityKind | undefined;
      const filter: ActivityFilter = { kind: ofKind, zone, who, source: through, since: time && timeAgo(time) };
      return cursorPage((await run(activityQuery, { filter, after: pageParam }, signal)).activity);
    },
    refetchInterval: lookMs,
  });
