/**
 * The name servers of a zone: which serial each was seen to serve, when, and what it answered last.
 */
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { zoneOptions } from "../api/zone.ts";
import look from "../parts/look.module.css";
import { Empty } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
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
    <Table label="Name servers" headings={["Server", "State", "#Serial", "Seen", "Last answer"]}>
      {servers.map(({ name, secondaryId, state, serial, seenAt, lastError, isJoining }) => (
        <tr key={name}>
          <td className={look.strong}>
            {secondaryId ? (
              <Link to="/servers/$server" params={{ server: secondaryId }}>
                {name}
              </Link>
            ) : (
              name
            )}
          </td>
          <td>{isJoining ? <span className={look.soft}>joining</span> : <State state={state} />}</td>
          <td className={`${table.number} ${look.mono}`} data-label="serial">
            {serial ?? "none"}
          </td>
          <td data-label="seen">{seenAt ? <Ago time={seenAt} /> : "never"}</td>
          <td className={look.anywhere} data-label="last answer">
            {lastError ?? "in order"}
          </td>
        </tr>
      ))}
    </Table>
  );
}
