/** About the service and this page: versions, limits, and what an operator should look at. */
import { useQuery } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { AboutQuery } from "../api/generated/graphql.ts";
import { readOptions } from "../api/queries.ts";
import { serviceSettingsOptions } from "../api/service-settings.ts";
import { useViewer } from "../api/viewer.ts";
import look from "../parts/look.module.css";
import { Reading } from "../parts/page/list.tsx";
import { Facts, Page } from "../parts/page/page.tsx";
import { Figure } from "../parts/zone/state.tsx";
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

export function About() {
  const { limits, key } = useViewer();
  const query = useQuery(readOptions(["about"], aboutQuery, {}, (read) => read));
  const { data, error } = query;
  const { data: service } = useQuery(serviceSettingsOptions);
  const quota = data?.viewer?.user?.quota;
  return (
    <Page title="About">
      {(error || !data) && <Reading query={query} />}
      {service?.warnings.map((warning) => (
        <p key={warning} className={look.message}>
          {warning}
        </p>
      ))}
      {service && (
        <Facts
          className={facts}
          of={{
            Version: service.version,
            DNS: <code>{`${service.dnsAddress} port ${service.dnsPort}`}</code>,
            "Name servers of new zones": <code>{service.nameServers.join(" ")}</code>,
            "Catalog zone": <code>{service.catalogZone}</code>,
          }}
        />
      )}
      <h2>This key</h2>
      <Facts
        className={facts}
        of={{
          Name: (
            <>
              {key?.name} {key && <code>{key.fingerprint}</code>}
            </>
          ),
          Sees: data ? sightText(data) : "…",
          "Requests a minute": limitText(limits.requestsPerMinute),
          "Requests in progress": limitText(limits.requestsInProgress),
          "Records a change adds, updates or removes": limitText(limits.recordsPerChange),
          "Size of an import": `${limitText(limits.importMegabytes)} MB, ${limitText(limits.importRecords)} records`,
        }}
      />
      {quota && (
        <>
          <h2>Your quota</h2>
          <Facts
            className={facts}
            of={{
              Zones: <Figure of="domains" quota={quota.domains} />,
              "Records of all zones": <Figure of="records" quota={quota.records} />,
              "Changes since midnight, UTC": <Figure of="changes" quota={quota.changesPerDay} />,
              "Records of a zone": limitText(quota.recordsPerDomain.limit),
            }}
          />
        </>
      )}
      <p className={look.soft}>
        Zonesmith is free software under the Apache License 2.0. What this console is built with has{" "}
        <a href="/console/licenses.md">licences of its own</a>.
      </p>
    </Page>
  );
}

const facts = `${look.list} ${css.facts}`;

const limitText = (limit: number | null | undefined) => limit?.toLocaleString() ?? "no limit";

function sightText({ domains, records, apiKeys }: AboutQuery): string {
  const lists = { zones: domains, records, keys: apiKeys };
  return Object.entries(lists)
    .map(([what, list]) => `${list?.totalCount?.toLocaleString() ?? "uncounted"} ${what}`)
    .join(", ");
}
