/**
 * Who is signed in, with which key, and what that key may do; and signing in and out. A cookie that no script reads takes the place of the
 * key, which this page forgets. Whether that cookie is valid, the service says.
 */
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import type { ViewerQuery } from "./generated/graphql.ts";
import { refusalOf, sendRest } from "./rest.ts";
import { beginSignIn, graphql, run, send } from "./run.ts";

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

/** Begins a sign-in with a key; throws Refused or Unreachable. */
export async function signIn(key: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const response = await send("/sign-in", { method: "POST", headers, body: JSON.stringify({ key }) });
  if (!response.ok) throw await refusalOf(response);
  beginSignIn();
}

export async function signOut(): Promise<void> {
  const response = await send("/sign-in", { method: "DELETE" });
  if (!response.ok) throw await refusalOf(response);
}

/** When the sign-in of this browser ends; null when nobody is signed in, which is no refusal. */
export const signInOptions = queryOptions({
  queryKey: ["sign-in"],
  queryFn: async ({ signal }) => {
    const response = await sendRest("/sign-in", { signal });
    return ((await response.json()) as { readonly signedInUntil: string | null }).signedInUntil;
  },
  staleTime: 0,
});
