/**
 * The state of the service on one page: its zones by how far they are published, its instances and name servers, the zones that are late,
 * and what failed last. A user sees what is the user's.
 */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { serviceSettingsOptions } from "../api/service-settings.ts";
import { useViewer } from "../api/viewer.ts";
import { Fact } from "../parts/fact.tsx";
import page from "../parts/page.module.css";
import { Loading, Page } from "../parts/page.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { SettingWarnings } from "../parts/setting-warnings.tsx";
import { State } from "../parts/state.tsx";
import table from "../parts/table.module.css";
import { useZoneListEvents } from "../zones/list-events.ts";
import { zoneCountsOptions } from "../zones/zone-queries.ts";
import { Failures } from "./failures.tsx";
import { Instances } from "./instances.tsx";
import { LateZones } from "./late-zones.tsx";
import { NameServers } from "./name-servers.tsx";
import { operatorStateOptions, serviceStateOptions } from "./queries.ts";
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
