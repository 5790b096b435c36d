/**
 * How many dynamic updates were refused of late: the number beside the link to them in the header of every page.
 */
import { queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";

const recentRefusals = graphql(`
  query RecentRefusals {
    updateRefusals(first: 100) { nodes { id createdAt } }
  }
`);

/** What counts as recent, ms. */
const recentMs = 86_400_000;
/** How often they are counted while the page is shown, ms. */
const countMs = 30_000;

/** A page of the newest is read and no total is counted: that costs the same however many were refused. */
export const recentRefusalsOptions = queryOptions({
  queryKey: ["recent-refusals"],
  queryFn: async ({ signal }) => {
    const { updateRefusals } = await run(recentRefusals, {}, signal);
    const since = Date.now() - recentMs;
    return (updateRefusals?.nodes ?? []).filter(({ createdAt }) => Date.parse(createdAt) >= since).length;
  },
  refetchInterval: countMs,
});

/** The number as it is shown; undefined when there is nothing to say. */
export const recentText = (count: number | undefined): string | undefined =>
  count === undefined || count === 0 ? undefined : count < 100 ? String(count) : "99+";
