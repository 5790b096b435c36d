/**
 * The name servers of a zone: which serial each was seen to serve, when, and what it answered last.
 */
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { zoneOptions } from "../api/zone.ts";
import look from "../parts/look.module.css";
import { Empty } from "../parts/page/page.tsx";
import { RowTable } from "../parts/page/table.tsx";
import { Ago } from "../parts/text/time.tsx";
import { State } from "../parts/zone/state.tsx";

const route = getRouteApi("/shell/zones/$zone/servers");

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
        {
          heading: "Server",
          cell: ({ name: server, secondaryId }) =>
            secondaryId ? (
              <Link to="/servers/$server" params={{ server: secondaryId }}>
                {server}
              </Link>
            ) : (
              server
            ),
          className: look.strong,
        },
        {
          heading: "State",
          cell: ({ isJoining, state }) =>
            isJoining ? <span className={look.soft}>joining</span> : <State state={state} />,
        },
        { heading: "#Serial", cell: ({ serial }) => serial ?? "none", className: look.mono, label: "serial" },
        { heading: "Seen", cell: ({ seenAt }) => (seenAt ? <Ago time={seenAt} /> : "never"), label: "seen" },
        {
          heading: "Last answer",
          cell: ({ lastError }) => lastError ?? "in order",
          className: look.anywhere,
          label: "last answer",
        },
      ]}
    />
  );
}
