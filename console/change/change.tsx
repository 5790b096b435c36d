/**
 * The page of a change: one of a zone, or one of several zones or people, which is a change set.
 */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { Reading } from "../parts/page/list.tsx";
import { Page } from "../parts/page/page.tsx";
import { ChangeSet } from "./change-set.tsx";
import { ChangeView } from "./change-view.tsx";

const route = getRouteApi("/shell/changes/$change");

const kindOfChange = graphql(`
  query KindOfChange($id: ID!) {
    node(id: $id) { __typename }
  }
`);

const kindOptions = (id: string) =>
  queryOptions({
    queryKey: ["kind-of-change", id],
    queryFn: async ({ signal }) => (await run(kindOfChange, { id }, signal)).node?.__typename ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });

export function Change() {
  const { change: id } = route.useParams();
  const query = useQuery(kindOptions(id));
  if (query.data === "ChangeSet") return <ChangeSet id={id} />;
  if (query.data) return <ChangeView key={id} id={id} />;
  return (
    <Page title="Change">
      <Reading query={query} />
    </Page>
  );
}
