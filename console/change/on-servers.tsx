/** Where a change has arrived: each name server, with what a late one serves in its place and why. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { PublicationState, ShownChangeFragment } from "../api/generated/graphql.ts";
import { queries } from "../api/queries.ts";
import { graphql, run } from "../api/run.ts";
import type { Publication } from "../api/zone.ts";
import type { ChangedRecords } from "../difference/difference.ts";
import { changeOptions } from "../history/queries.ts";
import { announce } from "../parts/control/announce.tsx";
import look from "../parts/look.module.css";
import { unicodeText } from "../parts/text/names.ts";
import { StateShape, stateWords } from "../parts/zone/state.tsx";
import css from "./change.module.css";
import { Section } from "./change-page.tsx";

const serversQuery = graphql(`
  query ServersOfChange($id: ID!) {
    node(id: $id) {
      __typename
      ... on Change { zone createdAt publication { ...ZonePublication } }
      ... on ChangeSet {
        zones(first: 20) { nodes { change { zone createdAt publication { ...ZonePublication } } } }
      }
    }
  }
`);

type Published = Pick<ShownChangeFragment, "zone" | "createdAt" | "publication">;

/** How often it is read again while a server does not have it, ms. */
const publishedMs = 1000;

const isOnItsWay = ({ publication }: Published) => publication?.state === "PENDING" || publication?.state === "LATE";

/** Whether an id is of a change or of a set, and how far its zones are published. */
export const serversOptions = (id: string) =>
  queryOptions({
    queryKey: ["servers-of-change", id],
    queryFn: async ({ signal }): Promise<{ isSet: boolean; published: readonly Published[] }> => {
      const { node } = await run(serversQuery, { id }, signal);
      if (node?.__typename === "Change") return { isSet: false, published: [node] };
      const isSet = node?.__typename === "ChangeSet";
      return { isSet, published: isSet ? (node.zones?.nodes ?? []).flatMap(({ change }) => change ?? []) : [] };
    },
    refetchInterval: ({ state: { data } }) => (data?.published.some(isOnItsWay) ? publishedMs : false),
  });

/** Gives the page of a change what the answer to its applying says of it, so that it asks nothing. */
export function rememberChange(change: ShownChangeFragment, { removed, added }: ChangedRecords): void {
  const records = { removed, added, isWhole: true };
  queries.setQueryData(changeOptions(change.id).queryKey, { change, records });
  queries.setQueryData(serversOptions(change.id).queryKey, { isSet: false, published: [change] });
}

const order: readonly PublicationState[] = ["LATE", "PENDING", "LIVE"];

/** The section at the right; nothing for a change that no server is to have. */
export function OnServers({ id }: { readonly id: string }) {
  const data = useQuery(serversOptions(id)).data?.published ?? [];
  const servers = serversOf(data);
  const counted = servers.filter(({ isJoining }) => !isJoining);
  const live = counted.filter(({ state }) => state === "LIVE").length;
  const late = counted.filter(({ state }) => state === "LATE").map(({ name }) => name);
  const end =
    live === counted.length ? `On ${live} of ${live} servers` : late.length > 0 ? `Late at ${late.join(", ")}` : "";
  const wasOpen = useRef(false);
  useEffect(() => {
    if (counted.length === 0) return;
    if (end === "") wasOpen.current = true;
    else if (wasOpen.current) announce(`${end}.`);
  }, [end, counted.length]);
  if (servers.length === 0) return null;
  return (
    <Section title="On servers">
      <p>
        {live} of {counted.length}{" "}
        {data.length > 1 ? `serve all ${data.length} zones` : live === 1 ? "serves it" : "serve it"}
        {live === counted.length && elapsedText(data)}
      </p>
      {servers.map(({ name, state, isJoining, rest }) => (
        <ServerLine key={name} name={name} state={state} isJoining={isJoining}>
          {isJoining && rest.length > 0 && <small>not waited for</small>}
          {!isJoining &&
            rest.map(({ zone, serial, lastError }) => (
              <small key={zone}>
                {data.length > 1 && `${unicodeText(zone)}: `}
                {serial === null ? "does not have the zone yet" : `still ${serial}`}
                {lastError && `. ${lastError}`}
              </small>
            ))}
        </ServerLine>
      ))}
    </Section>
  );
}

type Secondary = NonNullable<Publication["secondaries"]>[number];

type ServerLineProps = Pick<Secondary, "name" | "state" | "isJoining"> & { readonly children: ReactNode };

export const ServerLine = ({ name, state, isJoining, children }: ServerLineProps) => (
  <div className={`${css.server} ${!isJoining && state !== "LIVE" ? look.warn : ""}`}>
    <span aria-hidden="true">
      {state === "LIVE" && !isJoining ? "•" : <StateShape state={isJoining ? "PENDING" : state} />}
    </span>
    <span>{name}</span>
    <span className={isJoining || state === "LIVE" ? look.soft : undefined}>
      {isJoining ? "joining" : stateWords[state]}
    </span>
    {children}
  </div>
);

/** Each server with its most urgent state, and the zones in which it does not have the change. */
function serversOf(published: readonly Published[]) {
  const all = published.flatMap(({ zone, publication }) =>
    (publication?.secondaries ?? []).map((secondary): Secondary & { zone: string } => ({ ...secondary, zone })),
  );
  const servers = [...Map.groupBy(all, ({ name }) => name)].map(([name, list]) => ({
    name,
    isJoining: list.some(({ isJoining }) => isJoining),
    state: order.find((state) => list.some((each) => each.state === state)) ?? "LIVE",
    rest: list.filter(({ state }) => state !== "LIVE"),
  }));
  return servers.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

/** A server that came later serves it later: that is not how long the change took. */
const longestMs = 600_000;

function elapsedText(published: readonly Published[]): string {
  const times = published.map(({ createdAt, publication }) =>
    publication ? Date.parse(publication.since) - Date.parse(createdAt) : Number.NaN,
  );
  const ms = Math.max(...times);
  if (!(ms >= 0 && ms < longestMs)) return "";
  return ms < 1000 ? `, after ${ms} ms` : `, after ${(ms / 1000).toFixed(1)} s`;
}
