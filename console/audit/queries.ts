/**
 * What the page of the audit asks of the service.
 */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { AuditEntryFilter, AuditQuery, ChangeSource } from "../api/generated/graphql.ts";
import { noPage, paged } from "../api/pages.ts";
import { run } from "../api/run.ts";
import { type Age, timeAgo } from "../parts/zone/origin-filters.tsx";

const auditQuery = graphql(`
  query Audit($filter: AuditEntryFilter, $after: String) {
    auditEntries(filter: $filter, first: 50, after: $after) {
      nodes {
        id createdAt actor apiKeyId address source operation zone subjectId code field count
        user { id email }
        change { id serial summary }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** An entry of the list. */
export type ListedEntry = NonNullable<AuditQuery["auditEntries"]>["nodes"][number];

/** What entries are selected by. */
export interface AuditSelection {
  readonly zone?: string | undefined;
  readonly outcome?: "done" | "refused" | undefined;
  readonly source?: ChangeSource | undefined;
  readonly since?: Age | undefined;
  readonly operation?: string | undefined;
  readonly actor?: string | undefined;
  /** The id of a user. */
  readonly user?: string | undefined;
}

/** How often new ones are looked for while the list is shown, ms. */
const lookMs = 10_000;

export const auditOptions = ({ zone, outcome, source, since, operation, actor, user }: AuditSelection) =>
  infiniteQueryOptions({
    queryKey: ["audit", { zone, outcome, source, since, operation, actor, user }],
    ...paged,
    queryFn: async ({ pageParam, signal }) => {
      const filter: AuditEntryFilter = {
        ...(zone && { zone }),
        ...(outcome && { refused: outcome === "refused" }),
        ...(source && { source }),
        ...(since && { createdSince: timeAgo(since) }),
        ...(operation && { operation }),
        ...(actor && { actor }),
        ...(user && { userId: user }),
      };
      return (await run(auditQuery, { filter, after: pageParam }, signal)).auditEntries ?? noPage;
    },
    refetchInterval: lookMs,
  });
