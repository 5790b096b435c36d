/**
 * Records of all zones, by a part of the owner or of the data.
 */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { graphql } from "../api/generated/gql.ts";
import { nodesOf, paged } from "../api/pages.ts";
import { run } from "../api/run.ts";
import { announce } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { useWritten } from "../parts/control/use-debounced.ts";
import look from "../parts/look.module.css";
import { List } from "../parts/page/list.tsx";
import { Bar, Empty, Filter, Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { counted } from "../parts/text/counted.ts";
import { unicodeText } from "../parts/text/names.ts";

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
    records(filter: { contains: $text }, first: 1000) {
      nodes { id }
      pageInfo { hasNextPage }
    }
  }
`);

/** How many records a search finds: those of its pages when they are all, otherwise counted up to a limit. */
function useHits(q: string, found: number, isWhole: boolean): string | undefined {
  const { data } = useQuery({
    queryKey: ["search-hits", q],
    enabled: q !== "" && !isWhole,
    queryFn: async ({ signal }) => (await run(hitsQuery, { text: q }, signal)).records,
  });
  if (isWhole) return counted(found, "record");
  if (!data) return undefined;
  return data.pageInfo.hasNextPage ? "1,000 or more records" : counted(data.nodes.length, "record");
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
    queryKey: ["search", q],
    enabled: q !== "",
    ...paged,
    queryFn: async ({ pageParam, signal }) => (await run(searchQuery, { text: q, after: pageParam }, signal)).records,
    placeholderData: keepPreviousData,
  });
  const rows = q === "" ? [] : nodesOf(records);
  const isAnswered = q !== "" && records.data !== undefined && !records.isPlaceholderData;
  const hits = useHits(q, rows.length, !isAnswered || !records.hasNextPage);
  useEffect(() => {
    if (isAnswered && hits) announce(`${hits} found`);
  }, [isAnswered, hits]);
  return (
    <Page title="Search">
      <Bar>
        <Filter label="Part of an owner or of data" value={text} onChange={write} focused />
        {isAnswered && rows.length > 0 && hits && <span className={look.soft}>{hits} found</span>}
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
          headings={["Zone", "Owner", "Type", "#TTL", "Data"]}
          empty={<Empty title="No record matches" action={<Button onClick={() => write("")}>Clear filter</Button>} />}
          row={(record) => (
            <tr key={record.id}>
              <td className={table.name}>
                <Link to="/zones/$zone" params={{ zone: record.zone }} search={{ q: record.owner }}>
                  {record.zone}
                </Link>
                <InUnicode text={record.zone} />
              </td>
              <td className={`${look.mono} ${look.anywhere}`}>
                {record.owner}
                <InUnicode text={record.owner} />
              </td>
              <td className={look.mono}>{record.type}</td>
              <td className={`${look.mono} ${table.number}`}>{record.ttl}</td>
              <td className={`${look.mono} ${look.anywhere}`}>
                {record.rdata}
                <InUnicode text={record.rdata} />
              </td>
            </tr>
          )}
        />
      )}
    </Page>
  );
}

/** The names of a text in Unicode, beside it, where they are written in A-labels. */
function InUnicode({ text }: { readonly text: string }) {
  const shown = unicodeText(text);
  return shown === text ? null : <span className={look.soft}> {shown}</span>;
}
