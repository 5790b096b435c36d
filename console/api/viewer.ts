/** Who is signed in, with which key, and what that key may do. Pages do not show what it may not do. */
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import type { ViewerQuery } from "./generated/graphql.ts";
import { graphql, run } from "./run.ts";

const viewerQuery = graphql(`
  query Viewer {
    viewer {
      role readOnly
      user { id email }
      key { id name fingerprint expiresAt zones }
      limits {
        recordsPerChange importMegabytes importRecords requestsPerMinute requestsInProgress rowsPerOperation
        rowsPerPage
      }
    }
  }
`);

export type Viewer = NonNullable<ViewerQuery["viewer"]>;

export const readViewer = async (signal?: AbortSignal) => (await run(viewerQuery, {}, signal)).viewer as Viewer;

export const viewerOptions = queryOptions({
  queryKey: ["viewer"],
  queryFn: ({ signal }) => readViewer(signal),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The viewer, which the shell has read before it shows a page. */
export function useViewer(): Viewer & { readonly isAdministrator: boolean } {
  const { data } = useSuspenseQuery(viewerOptions);
  return { ...data, isAdministrator: data.role === "ADMINISTRATOR" };
}
