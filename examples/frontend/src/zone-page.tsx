/** One zone: its serial and publication, its records, and its last changes. */
import { useState } from "react";
import { useQuery } from "urql";
import { Changes } from "./changes";
import { shownChanges } from "./client";
import { Reasons } from "./field";
import { graphql } from "./generated";
import { type Page, Paging } from "./paging";
import { PublicationBadge } from "./publication-badge";
import { Records } from "./records";
import { reasonsOf } from "./refusal";
import { useDomainEvents } from "./use-domain-events";
import { Stream } from "./zone-list";

const zoneQuery = graphql(`
  query Zone($zone: String!, $changes: Int!, $owner: String, $first: Int, $after: String, $last: Int, $before: String) {
    domain(by: { zone: $zone }) {
      id zone zoneUnicode serial
      ...PublicationBadge_domain
      records(ownerPrefix: $owner, first: $first, after: $after, last: $last, before: $before) {
        totalCount
        pageInfo { ...Paging_pageInfo }
        nodes { id ...RecordRow_record }
      }
      changes(first: $changes) { nodes { id ...ChangeRow_change } }
    }
    ttlPolicy { default }
    recordTypes { type creatable example description }
  }
`);

const size = 25;

export function ZonePage({ zone, mayEdit }: { zone: string; mayEdit: boolean }) {
  const [owner, setOwner] = useState("");
  const [page, setPage] = useState<Page>({ first: size });
  const variables = { zone, changes: shownChanges, owner: owner || null, ...page };
  const [{ data, error }] = useQuery({ query: zoneQuery, variables });
  const stream = useDomainEvents(zone);
  const domain = data?.domain;
  return (
    <>
      <title>{`${domain?.zoneUnicode ?? zone} – Zonesmith`}</title>
      <div className="title">
        <h1>{domain?.zoneUnicode ?? zone}</h1>
        {domain && <span className="serial">serial {domain.serial}</span>}
        {domain && <PublicationBadge domain={domain} withSecondaries />}
        {domain && <Stream {...stream} />}
      </div>
      <Reasons reasons={reasonsOf(error)} />
      {domain?.records && (
        <>
          <Records
            zone={domain.zone}
            records={domain.records.nodes}
            types={(data?.recordTypes ?? []).filter(({ creatable }) => creatable)}
            mayEdit={mayEdit}
          >
            <span className="quiet">{domain.records.totalCount}</span>
            <input
              type="search"
              aria-label="Filter records by owner"
              placeholder="Owner begins with"
              value={owner}
              onChange={({ target }) => {
                setOwner(target.value);
                setPage({ first: size });
              }}
            />
          </Records>
          <Paging of="records" size={size} pageInfo={domain.records.pageInfo} onPage={setPage} />
          <Changes changes={domain.changes?.nodes ?? []} />
        </>
      )}
    </>
  );
}
