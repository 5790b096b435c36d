/** The zones that the key sees: a filter, pages, and their publication as it goes on. */
import { useEffect, useState } from "react";
import { useQuery } from "urql";
import { Reasons } from "./field";
import { graphql } from "./generated";
import { type Page, Paging } from "./paging";
import { PublicationBadge } from "./publication-badge";
import { reasonsOf } from "./refusal";
import { type StreamState, useDomainEvents } from "./use-domain-events";

const zonesQuery = graphql(`
  query Zones($filter: DomainFilter, $first: Int, $after: String, $last: Int, $before: String) {
    eventCursor
    domains(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo { ...Paging_pageInfo }
      nodes { id zone zoneUnicode serial publication { state } user { id email } ...PublicationBadge_domain }
    }
  }
`);

const size = 20;

/** How often zones that were not live when they were read are read again, ms: events follow the publication of new changes alone. */
const pollMs = 5000;

export function ZoneList() {
  const [zoneContains, setContains] = useState("");
  const [page, setPage] = useState<Page>({ first: size });
  const variables = { filter: zoneContains === "" ? null : { zoneContains }, ...page };
  const [{ data, error }, read] = useQuery({ query: zonesQuery, variables, requestPolicy: "cache-and-network" });
  const stream = useDomainEvents(undefined, data?.eventCursor);
  const domains = data?.domains;
  const isAwaited = domains?.nodes.some(({ publication }) => /PENDING|LATE/.test(publication?.state ?? ""));
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setInterval(() => read({ requestPolicy: "network-only" }), pollMs);
    return () => clearInterval(timer);
  }, [isAwaited, read]);
  return (
    <>
      <title>Zonesmith</title>
      <div className="title">
        <h1>Zones</h1>
        <span className="quiet">{domains?.totalCount}</span>
        <Stream {...stream} />
        <input
          type="search"
          aria-label="Filter zones"
          placeholder="Filter"
          value={zoneContains}
          onChange={({ target }) => {
            setContains(target.value);
            setPage({ first: size });
          }}
        />
      </div>
      <Reasons reasons={reasonsOf(error)} />
      <ul className="zones card" aria-label="Zones">
        {domains?.nodes.map((domain) => (
          <li key={domain.id}>
            <a href={`#/${domain.zone}`}>{domain.zoneUnicode}</a>
            <span className="quiet">{domain.user?.email}</span>
            <span className="serial">{domain.serial}</span>
            <PublicationBadge domain={domain} />
          </li>
        ))}
        {domains?.nodes.length === 0 && (
          <li className="quiet">No zone {zoneContains && `contains “${zoneContains}”`}</li>
        )}
      </ul>
      {domains && <Paging of="zones" size={size} pageInfo={domains.pageInfo} onPage={setPage} />}
    </>
  );
}

/** Whether the page follows changes as they are committed. */
export function Stream({ isOpen, refusal }: StreamState) {
  if (isOpen) return <span className="stream">follows changes</span>;
  return <span className="stream broken">{refusal?.message ?? "reconnecting …"}</span>;
}
