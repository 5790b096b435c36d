/** A hint that change sets of a zone are open, which leads to them. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import { readOptions } from "../api/queries.ts";
import { listMs, openStates } from "./queries.ts";

const openSets = graphql(`
  query OpenChangeSets($zone: String!, $states: [ChangeSetState!]) {
    domain(by: { zone: $zone }) { changeSets(states: $states, first: 1) { totalCount } }
  }
`);

export function OpenSets({ zone }: { readonly zone: string }) {
  const { data: count = 0 } = useQuery({
    ...readOptions(
      ["change-sets", "of", zone],
      openSets,
      { zone, states: [...openStates] },
      ({ domain }) => domain?.changeSets?.totalCount,
    ),
    refetchInterval: listMs,
  });
  if (!count) return null;
  return (
    <Link to="/activity" search={{ kind: "reviews", zone }}>
      {count === 1 ? "1 change set is open" : `${count} change sets are open`}
    </Link>
  );
}
