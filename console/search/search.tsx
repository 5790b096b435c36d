/** Records of all zones, by a part of the name or of the data. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { graphql } from "../api/generated/gql.ts";
import { nodesOf } from "../api/pages.ts";
import { listOptions, readOptions } from "../api/queries.ts";
import { announce } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { useWritten } from "../parts/control/hooks.ts";
import look from "../parts/look.module.css";
import { List } from "../parts/page/list.tsx";
import { Named } from "../parts/page/named.tsx";
import { Bar, Empty, Filter, Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { counted } from "../parts/text/counted.ts";

const searchQuery = graphql(`
  query Search($text: String!, $after: String) {
    records(filter: { contains: $text }, first: 100, after: $after) {
      nodes { id zone owner type ttl rdata }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const hitsQuery = graphql(`
  query SearchHits($text: String!) {
    records(filter: {contains: $text}, first: 1000) { nodes { id } pageInfo { hasNextPage } }
  }
`);

/** How many records a search finds: those of its pages when they are all, otherwise counted up to a limit. */
function useHits(q: string, found: number, isWhole: boolean): string | null | undefined {
  const { data } = useQuery({
    ...readOptions(["search-hits", q], hitsQuery, { text: q }, ({ records }) => records),
    enabled: q !== "" && !isWhole,
  });
  if (isWhole) return `${counted(found, "record")} found`;
  return data && `${data.pageInfo.hasNextPage ? "1,000 or more records" : counted(data.nodes.length, "record")} found`;
}

const route = getRouteApi("/shell/search");

export function Search() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const {
    text,
    settled: q,
    write,
  } = useWritten(search.q, (part) => void navigate({ search: { q: part }, replace: true }));
  const records = useInfiniteQuery({
    ...listOptions(["search", q], searchQuery, { text: q }, (read) => read.records),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
  const rows = q === "" ? [] : nodesOf(records);
  const isAnswered = q !== "" && records.data !== undefined && !records.isPlaceholderData;
  const hits = useHits(q, rows.length, !isAnswered || !records.hasNextPage);
  useEffect(() => {
    if (isAnswered && hits) announce(hits);
  }, [isAnswered, hits]);
  return (
    <Page title="Search">
      <Bar>
        <Filter label="Part of an owner or of data" value={text} onChange={write} focused />
        {isAnswered && rows.length > 0 && <span className={look.soft}>{hits}</span>}
      </Bar>
      {q === "" && (
        <Empty title="Search the records of all zones">
          An address, the name of a host, a part of either, or a word of a text: letter case does not matter.
        </Empty>
      )}
      {q !== "" && (
        <List
          query={records}
          what="records"
          label="Records"
          keyOf={({ id }) => id}
          columns={[
            [
              "Zone",
              ({ zone, owner }) => (
                <Link to="/zones/$zone" params={{ zone }} search={{ q: owner }}>
                  <Named text={zone} />
                </Link>
              ),
              { className: table.name },
            ],
            ["Name", ({ owner }) => <Named text={owner} />, { className: `${look.mono} ${look.anywhere}` }],
            ["Type", ({ type }) => type, { className: look.mono }],
            ["#TTL", ({ ttl }) => ttl, { className: look.mono }],
            ["Data", ({ rdata }) => <Named text={rdata} />, { className: `${look.mono} ${look.anywhere}` }],
          ]}
          empty={<Empty title="No record matches" action={<Button onClick={() => write("")}>Clear filter</Button>} />}
        />
      )}
    </Page>
  );
}
