/**
 * About the service and this page: versions, limits, and what an operator should look at.
 */
import { useQuery } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { AboutQuery } from "../api/generated/graphql.ts";
import { run } from "../api/run.ts";
import { serviceSettingsOptions } from "../api/service-settings.ts";
import { useViewer } from "../api/viewer.ts";
import look from "../parts/look.module.css";
import { Fact, Loading, Page, SettingWarnings } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { Figure } from "../parts/zone/figure.tsx";
import css from "./about.module.css";

const aboutQuery = graphql(`
  query About {
    viewer {
      user {
        quota {
          domains { limit usage }
          records { limit usage }
          recordsPerDomain { limit }
          changesPerDay { limit usage }
        }
      }
    }
    domains(first: 1) { totalCount }
    records(first: 1) { totalCount }
    apiKeys(first: 1) { totalCount }
  }
`);

type LimitedUser = NonNullable<NonNullable<AboutQuery["viewer"]>["user"]>;

export function About() {
  const { limits, key } = useViewer();
  const { data, error, refetch } = useQuery({
    queryKey: ["about"],
    queryFn: ({ signal }) => run(aboutQuery, {}, signal),
  });
  const { data: service } = useQuery(serviceSettingsOptions);
  const viewer = data?.viewer;
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? "no limit" : value.toLocaleString();
  return (
    <Page title="About">
      {error && <Refusal error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {service && <SettingWarnings warnings={service.warnings} />}
      {service && (
        <dl className={`${look.list} ${css.facts}`}>
          <Fact name="Version">{service.version}</Fact>
          <Fact name="DNS">
            <code>
              {service.dnsAddress} port {service.dnsPort}
            </code>
          </Fact>
          <Fact name="Name servers of new zones">
            <code>{service.nameServers.join(" ")}</code>
          </Fact>
          <Fact name="Catalog zone">
            <code>{service.catalogZone}</code>
          </Fact>
        </dl>
      )}
      <h2>This key</h2>
      <dl className={`${look.list} ${css.facts}`}>
        <Fact name="Name">
          {key?.name} {key && <code>{key.fingerprint}</code>}
        </Fact>
        <Fact name="Sees">{data ? sightText(data) : "…"}</Fact>
        <Fact name="Requests a minute">{number(limits.requestsPerMinute)}</Fact>
        <Fact name="Requests in progress">{number(limits.requestsInProgress)}</Fact>
        <Fact name="Records a change adds, updates or removes">{number(limits.recordsPerChange)}</Fact>
        <Fact name="Size of an import">
          {number(limits.importMegabytes)} MB, {number(limits.importRecords)} records
        </Fact>
      </dl>
      {viewer?.user && <OwnQuota user={viewer.user} />}
      <p className={look.soft}>
        Zonesmith is free software under the Apache License 2.0. What this console is built with has{" "}
        <a href="/console/licenses.md">licences of its own</a>.
      </p>
    </Page>
  );
}

/** What the user whose key it is has, and may have. */
function OwnQuota({ user: { quota } }: { readonly user: LimitedUser }) {
  const perZone = quota.recordsPerDomain.limit;
  return (
    <>
      <h2>Your quota</h2>
      <dl className={`${look.list} ${css.facts}`}>
        <Fact name="Zones">
          <Figure of="domains" quota={quota.domains} />
        </Fact>
        <Fact name="Records of all zones">
          <Figure of="records" quota={quota.records} />
        </Fact>
        <Fact name="Changes since midnight, UTC">
          <Figure of="changes" quota={quota.changesPerDay} />
        </Fact>
        <Fact name="Records of a zone">{perZone?.toLocaleString() ?? "no limit"}</Fact>
      </dl>
    </>
  );
}

/** How much a key sees. */
function sightText({ domains, records, apiKeys }: AboutQuery): string {
  const counted = [
    ["zones", domains?.totalCount],
    ["records", records?.totalCount],
    ["keys", apiKeys?.totalCount],
  ] as const;
  return counted.map(([what, count]) => `${count?.toLocaleString() ?? "uncounted"} ${what}`).join(", ");
}
