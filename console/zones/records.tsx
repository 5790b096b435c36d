/**
 * The records of a zone, as a list to read.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { More } from "../parts/more.tsx";
import { Loading } from "../parts/page.tsx";
import { Refusal } from "../parts/refusal.tsx";
import table from "../parts/table.module.css";

const recordsQuery = graphql(`
  query RecordList($zone: String!, $after: String) {
    domain(by: { zone: $zone }) {
      records(first: 200, after: $after) {
        nodes {
          id
          ownerUnicode
          type
          ttl
          rdata
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

const route = getRouteApi("/shell/zones/$zone/");

export function Records() {
  const { zone } = route.useParams();
  const records = useInfiniteQuery({
    queryKey: ["records", zone],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) =>
      (await run(recordsQuery, { zone, after: pageParam }, signal)).domain?.records,
    getNextPageParam: (page) => (page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined),
  });
  if (records.error) return <Refusal error={records.error} onRetry={() => void records.refetch()} />;
  if (records.isPending) return <Loading />;
  return (
    <div className={table.box}>
      <table className={table.table} aria-label="Records">
        <thead>
          <tr>
            <th scope="col">Owner</th>
            <th scope="col">Type</th>
            <th scope="col" className={table.number}>
              TTL
            </th>
            <th scope="col">Data</th>
          </tr>
        </thead>
        <tbody className={table.mono}>
          {records.data.pages
            .flatMap((page) => page?.nodes ?? [])
            .map((record) => (
              <tr key={record.id}>
                <td>{record.ownerUnicode}</td>
                <td>{record.type}</td>
                <td className={table.number}>{record.ttl}</td>
                <td className={table.wide}>{record.rdata}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <More query={records} what="records" />
    </div>
  );
}
