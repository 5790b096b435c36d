/**
 * A hint that change sets of a zone are open, which leads to them.
 */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { openSetsOptions } from "./queries.ts";

export function OpenSets({ zone }: { readonly zone: string }) {
  const { data: count = 0 } = useQuery(openSetsOptions(zone));
  if (count === 0) return null;
  return (
    <Link to="/activity" search={{ kind: "reviews", zone }}>
      {count === 1 ? "1 change set is open" : `${count} change sets are open`}
    </Link>
  );
}
