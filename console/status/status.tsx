/**
 * The state of the service on one page: its zones by how far they are published, its instances and name servers, the zones that are late,
 * and what failed last. A user sees what is the user's.
 */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { serviceSettingsOptions } from "../api/service-settings.ts";
import { useViewer } from "../api/viewer.ts";
import { buttonClass } from "../parts/control/button.tsx";
import page from "../parts/page/page.module.css";
import { Empty, Fact, Loading, Page, SettingWarnings } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { Ago } from "../parts/text/time.tsx";
import { State } from "../parts/zone/state.tsx";
import { AnswerText, ZonesText } from "../servers/servers.tsx";
import { useZoneListEvents } from "../zones/list-events.ts";
import { zoneCountsOptions } from "../zones/zone-queries.ts";
import {
  type Instance,
  type LateZone,
  operatorStateOptions,
  type RefusedUpdate,
  type Secondary,
  serviceStateOptions,
} from "./queries.ts";
import css from "./status.module.css";

export function Status() {
  const { isAdministrator } = useViewer();
  const service = useQuery(serviceStateOptions);
  const operator = useQuery({ ...operatorStateOptions, enabled: isAdministrator });
  const { data: settings } = useQuery(serviceSettingsOptions);
  const isFollowing = useZoneListEvents();
  const { error } = service.error ? service : operator;
  const read = () => void Promise.all([service.refetch(), isAdministrator && operator.refetch()]);
  // All of it comes at once, so that nothing moves under the pointer.
  const isRead = service.data !== undefined && (operator.data !== undefined || !isAdministrator);
  const servers = operator.data?.secondaries?.nodes ?? [];
  const users = operator.data?.users?.totalCount;
  return (
    <Page title="Status" beside={isFollowing ? null : <span className={table.soft}>not following changes</span>}>
      {error && <Refusal error={error} onRetry={read} />}
      {!isRead && !error && <Loading />}
      {isRead && settings && (
        <dl className={page.facts}>
          <Fact name="Version">{settings.version}</Fact>
          <Fact name="DNS">
            <code>
              {settings.dnsAddress} port {settings.dnsPort}
            </code>
          </Fact>
          {typeof users === "number" && (
            <Fact name="Users">
              <Link to="/users">{users.toLocaleString()}</Link>
            </Fact>
          )}
        </dl>
      )}
      {isRead && settings && <SettingWarnings warnings={settings.warnings} />}
      {isRead && <ZoneCounts />}
      {operator.data && <Instances instances={operator.data.instances ?? []} />}
      {operator.data && <NameServers servers={servers} />}
      {isRead && <LateZones zones={service.data?.domains?.nodes ?? []} />}
      {isRead && <Failures updates={service.data?.updateRefusals?.nodes ?? []} servers={servers} />}
    </Page>
  );
}

const states = ["LIVE", "PENDING", "LATE", "UNSERVED"] as const;

/** How many zones there are in each state; each leads to them. */
function ZoneCounts() {
  const { data: counts } = useQuery(zoneCountsOptions);
  const shown = (count: number | null | undefined) => count?.toLocaleString() ?? "–";
  return (
    <section aria-label="Zones" className={`${page.panel} ${css.part}`}>
      <h2>Zones</h2>
      <ul className={css.counts}>
        <li>
          <Link to="/zones">
            <strong>{shown(counts?.ALL)}</strong> in all
          </Link>
        </li>
        {states.map((state) => (
          <li key={state}>
            <Link to="/zones" search={{ state }}>
              <strong>{shown(counts?.[state])}</strong> <State state={state} detail="" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Failure {
  readonly id: string;
  readonly at: string;
  readonly what: ReactNode;
  readonly why: string;
}

/** Failures that are shown. */
const mostFailures = 5;

const ofUpdate = ({ id, createdAt, zone, reason }: RefusedUpdate): Failure => ({
  id,
  at: createdAt,
  what: (
    <Link to="/refusals" search={{ zone }}>
      Update of {zone}
    </Link>
  ),
  why: reason,
});

const ofServer = ({ id, name, lastTsigError }: Secondary): readonly Failure[] =>
  lastTsigError
    ? [
        {
          id,
          at: lastTsigError.at,
          what: (
            <Link to="/servers/$server" params={{ server: id }}>
              Signature of {name}
            </Link>
          ),
          why: lastTsigError.message,
        },
      ]
    : [];

interface FailuresProps {
  readonly updates: readonly RefusedUpdate[];
  readonly servers: readonly Secondary[];
}

/** The newest failures: refused signatures of name servers, and refused dynamic updates. */
function Failures({ updates, servers }: FailuresProps) {
  const failures = [...updates.map(ofUpdate), ...servers.flatMap(ofServer)]
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, mostFailures);
  return (
    <section className={`${page.panel} ${css.part}`}>
      <h2>Last failures</h2>
      {failures.length === 0 ? (
        <p className={table.soft}>No dynamic update and no signature was refused.</p>
      ) : (
        <Table label="Last failures" headings={["What", "When", "Why"]}>
          {failures.map(({ id, at, what, why }) => (
            <tr key={id}>
              <td className={table.name}>{what}</td>
              <td className={table.nowrap}>
                <Ago time={at} />
              </td>
              <td className={table.wide}>{why}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** The processes of the service on its database, and the leader of them. */
function Instances({ instances }: { readonly instances: readonly Instance[] }) {
  return (
    <section className={`${page.panel} ${css.part}`}>
      <h2>Instances</h2>
      <Table label="Instances" headings={["Instance", "State", "Version", "Started", "Seen"]}>
        {instances.map((instance) => (
          <tr key={`${instance.host} ${instance.pid} ${instance.startedAt}`}>
            <td className={table.name}>
              {instance.host} <span className={table.soft}>process {instance.pid}</span>
            </td>
            <td>
              <InstanceState instance={instance} />
            </td>
            <td>{instance.version}</td>
            <td data-label="started">
              <Ago time={instance.startedAt} />
            </td>
            <td data-label="seen">
              <Ago time={instance.seenAt} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function InstanceState({ instance: { isAlive, isLeader } }: { readonly instance: Instance }) {
  if (!isAlive) return <span className={table.trouble}>gone</span>;
  if (!isLeader)
    return <span title="It answers requests; the instance that leads publishes to the name servers">runs</span>;
  return (
    <span className={css.fine} title="It publishes to the name servers">
      leads
    </span>
  );
}

/** The first of the late zones: since when each is late, and where. */
function LateZones({ zones }: { readonly zones: readonly LateZone[] }) {
  return (
    <section className={`${page.panel} ${css.part}`}>
      <h2>Late zones</h2>
      {zones.length === 0 ? (
        <p className={table.soft}>No zone is late.</p>
      ) : (
        <Table label="Late zones" headings={["Zone", "Since", "Where"]}>
          {zones.map((zone) => (
            <tr key={zone.id}>
              <td className={table.name}>
                <Link to="/zones/$zone/servers" params={{ zone: zone.zone }}>
                  {zone.zoneUnicode}
                </Link>
              </td>
              <td className={table.nowrap} data-label="since">
                {zone.publication && <Ago time={zone.publication.since} />}
              </td>
              <td className={table.wide}>{whereText(zone)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** The servers that do not have it, each with what it answered. */
function whereText({ publication }: LateZone): string {
  return (publication?.secondaries ?? [])
    .filter(({ state }) => state === "LATE")
    .map(({ name, lastError }) => (lastError ? `${name}: ${lastError}` : name))
    .join("; ");
}

/** The name servers: the last answer of each, and how many zones it serves. */
function NameServers({ servers }: { readonly servers: readonly Secondary[] }) {
  if (servers.length === 0)
    return (
      <section className={`${page.panel} ${css.part}`}>
        <h2>Name servers</h2>
        <Empty
          title="No name server follows yet"
          action={
            <Link to="/servers" className={buttonClass()}>
              To the servers
            </Link>
          }
        >
          Every zone is unserved until one is added.
        </Empty>
      </section>
    );
  return (
    <section className={`${page.panel} ${css.part}`}>
      <h2>Name servers</h2>
      <Table label="Name servers" headings={["Server", "Address", "Last answer", "Serves"]}>
        {servers.map((server) => (
          <tr key={server.id}>
            <td className={table.name}>
              <Link to="/servers/$server" params={{ server: server.id }}>
                {server.name}
              </Link>
            </td>
            <td className={`${table.mono} ${table.nowrap}`}>
              {server.address} {server.port}
            </td>
            <td className={table.nowrap} data-label="last answer">
              <AnswerText secondary={server} />
            </td>
            <td className={table.nowrap} data-label="serves">
              <ZonesText secondary={server} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
