/** A zone: its name and how far it is published, over the tabs of its records, history, text and servers. */
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Outlet, useMatches } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { follow } from "../api/events.ts";
import { queries, readAgain, readOptions } from "../api/queries.ts";
import { graphql, Refused } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { exportUrl, type ShownZone, zoneOptions } from "../api/zone.ts";
import { listMs, openStates } from "../changesets/queries.ts";
import { LabelChips } from "../labels/labels.tsx";
import { Hidden } from "../parts/control/announce.tsx";
import { buttonClass, Icon } from "../parts/control/button.tsx";
import { useNarrow } from "../parts/control/hooks.ts";
import look from "../parts/look.module.css";
import { RowTable } from "../parts/page/list.tsx";
import { Empty, Loading, useTitle } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { Publication, State } from "../parts/zone/state.tsx";
import { ZoneMenu } from "./zone-menu.tsx";
import css from "./zone-page.module.css";

const route = getRouteApi("/shell/zones/$zone");

/** The tabs, by the path below that of the zone. */
const tabs = [
  { to: "/zones/$zone", label: "Records" },
  { to: "/zones/$zone/history", label: "History" },
  { to: "/zones/$zone/text", label: "Text" },
  { to: "/zones/$zone/servers", label: "Servers" },
] as const;

export function ZonePage() {
  const { zone: name } = route.useParams();
  const navigate = route.useNavigate();
  const { readOnly } = useViewer();
  const { data: zone, error } = useSuspenseQuery(zoneOptions(name));
  const isNarrow = useNarrow(900);
  const [isFollowing, setFollowing] = useState(true);
  useZoneEvents(zone.zone, setFollowing);
  useTitle(zone.zoneUnicode);
  // What was read before it was deleted is not shown as if it were there.
  if (error instanceof Refused && error.code === "NOT_FOUND") throw error;
  const isDraft = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId.endsWith("/draft")) });
  return (
    <main className={`${look.stack} ${css.page}`}>
      <div className={css.top} hidden={isDraft}>
        <header className={css.head}>
          <div className={`${look.line} ${look.grow} ${css.naming}`}>
            <Link to="/zones" className={`${look.beside} ${look.faint} ${css.back}`}>
              <Icon name="left" />
              <Hidden>Zones</Hidden>
            </Link>
            <h1 className={look.anywhere}>{zone.zoneUnicode}</h1>
            <div className={`${look.line} ${look.small} ${look.soft} ${look.anywhere} ${css.facts}`}>
              {isFollowing && zone.publication ? (
                <Link to="/zones/$zone/servers" params={{ zone: name }}>
                  <Publication publication={zone.publication} />
                </Link>
              ) : (
                <span>not following</span>
              )}
              <span className={look.mono}>{zone.serial}</span>
              {zone.user && <span className={look.unlessTablet}>{zone.user.email}</span>}
              {zone.zoneUnicode !== zone.zone && <code>{zone.zone}</code>}
              <span className={look.unlessTablet}>
                <LabelChips labels={zone.labels} />
              </span>
              {zone.requiredApprovals != null && <span>reviewed</span>}
              <Findings zone={zone.zone} />
              <OpenSets zone={zone.zone} />
            </div>
          </div>
          <div className={look.line}>
            {!readOnly && (
              <Link
                to="/zones/$zone"
                search={{ import: "1" }}
                params={{ zone: name }}
                className={`${buttonClass()} ${look.unlessTablet}`}
              >
                Import…
              </Link>
            )}
            <a
              href={exportUrl(zone.zone)}
              download={`${zone.zone}.zone`}
              className={`${buttonClass()} ${look.unlessTablet}`}
            >
              Export
            </a>
            {!(readOnly && !isNarrow) && (
              <ZoneMenu zone={zone} isOnPage onDeleted={() => void navigate({ to: "/zones" })} />
            )}
          </div>
        </header>
        <nav aria-label="Zone" className={css.tabs}>
          {tabs.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              params={{ zone: name }}
              activeOptions={{ exact: to === "/zones/$zone", includeSearch: false }}
              activeProps={{ className: css.here }}
            >
              {label}
            </Link>
          ))}
        </nav>
      </div>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </main>
  );
}

const followed = graphql(`
  subscription ZonePageFollowed($zone: String!) {
    domainChanged(zone: $zone, eachSecondary: true) {
      domain { id serial user { id email } }
      publication { ...ZonePublication }
    }
  }
`);

/** Follows a zone while its page is shown: its serial and publication come as they change. */
function useZoneEvents(zone: string, onFollowing: (isFollowing: boolean) => void): void {
  useEffect(() => {
    const { queryKey } = zoneOptions(zone);
    return follow(
      followed,
      { zone },
      {
        onEvent: ({ domainChanged: { domain, publication } }) => {
          queries.setQueryData<ShownZone>(queryKey, (shown) =>
            shown && domain ? { ...shown, ...domain, publication } : undefined,
          );
          readAgain("history");
        },
        onFollowing: (follows) => {
          onFollowing(follows);
          // Events may be missed before it is open, and a deletion ends it.
          void queries.invalidateQueries({ queryKey });
        },
      },
    );
  }, [zone, onFollowing]);
}

/** The name servers: which serial each was seen to serve, when, and what it answered last. */
export function ZoneServers() {
  const { zone: name } = route.useParams();
  const { data: zone } = useSuspenseQuery(zoneOptions(name));
  const servers = zone.publication?.secondaries ?? [];
  if (servers.length === 0)
    return (
      <Empty title="No name server follows yet">
        No server has the zone: changes are kept, and reach the name servers once an administrator adds a secondary.
      </Empty>
    );
  return (
    <RowTable
      label="Name servers"
      rows={servers}
      keyOf={(server) => server.name}
      columns={[
        [
          "Server",
          ({ name: server, secondaryId }) =>
            secondaryId ? (
              <Link to="/servers/$server" params={{ server: secondaryId }}>
                {server}
              </Link>
            ) : (
              server
            ),
          { className: look.strong },
        ],
        [
          "State",
          ({ isJoining, state }) => (isJoining ? <span className={look.soft}>joining</span> : <State state={state} />),
        ],
        ["#Serial", ({ serial }) => serial ?? "none", { className: look.mono, label: "serial" }],
        ["Seen", ({ seenAt }) => (seenAt ? <Ago time={seenAt} /> : "never"), { label: "seen" }],
        ["Last answer", ({ lastError }) => lastError ?? "in order", { className: look.anywhere, label: "last answer" }],
      ]}
    />
  );
}

const openSets = graphql(`
  query OpenChangeSets($zone: String!, $states: [ChangeSetState!]) {
    domain(by: { zone: $zone }) { changeSets(states: $states, first: 1) { totalCount } }
  }
`);

/** A hint that change sets of the zone are open, which leads to them. */
function OpenSets({ zone }: { readonly zone: string }) {
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

const zoneFindings = graphql(`
  query ZoneFindings($zone: String!) {
    findings(filter: { zone: $zone, severities: [ERROR, WARNING] }, first: 100) { nodes { code } }
  }
`);

/** A hint that something is wrong with the zone, which leads to all that was found. */
function Findings({ zone }: { readonly zone: string }) {
  const { data } = useQuery(
    readOptions(["findings", "of", zone], zoneFindings, { zone }, ({ findings }) => findings?.nodes ?? []),
  );
  if (!data?.length) return null;
  return (
    <Link to="/check" search={{ zone }}>
      {counted(data.length, "finding")}
    </Link>
  );
}
