/**
 * The name servers that follow: those that are late and those that join as cards, the others as a table; below them the catalog and the
 * instances of this service.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { SecondaryListQuery } from "../api/generated/graphql.ts";
import { useViewer } from "../api/viewer.ts";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Reading, RowTable } from "../parts/page/list.tsx";
import { Empty, Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { Publication } from "../parts/zone/state.tsx";
import { secondariesOptions } from "./queries.ts";
import { SecondaryForm } from "./secondary-form.tsx";
import { addressOf, Marks, noKey, Served, ServerCard, TransferText, useLate } from "./server-card.tsx";
import css from "./servers.module.css";

const route = getRouteApi("/shell/servers");

export function Servers() {
  const { readOnly } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(secondariesOptions);
  const { data } = query;
  const late = useLate();
  const secondaries = data?.secondaries?.nodes ?? [];
  const joining = secondaries.filter(({ joinedAt }) => !joinedAt);
  const joined = secondaries.filter(({ joinedAt }) => joinedAt);
  const upToDate = joined.filter(({ id }) => !late.has(id));
  const isEmpty = secondaries.length === 0;
  const add = !readOnly && (
    <Button kind="primary" icon="plus" onClick={() => void navigate({ search: { new: "server" } })}>
      Add server
    </Button>
  );
  return (
    <Page
      isText
      title="Servers"
      beside={!isEmpty && <span className={look.faint}>{secondaries.length}</span>}
      actions={!isEmpty && add}
    >
      {(!data || query.error) && <Reading query={query} />}
      {data && isEmpty && (
        <Empty title="No name server yet" action={add}>
          Add one: you get its configuration to copy.
        </Empty>
      )}
      {[...joined.filter(({ id }) => late.has(id)), ...joining].map((secondary) => (
        <ServerCard key={secondary.id} secondary={secondary} late={late.get(secondary.id)} />
      ))}
      {upToDate.length > 0 && (
        <section className={`${look.stack} ${look.close}`}>
          <h2>Up to date</h2>
          <RowTable
            label="Name servers"
            rows={upToDate}
            keyOf={({ id }) => id}
            columns={[
              [
                "Name",
                (secondary) => (
                  <>
                    <Link to="/servers/$server" params={{ server: secondary.id }}>
                      {secondary.name}
                    </Link>
                    <Marks secondary={secondary} />
                  </>
                ),
                { className: table.name },
              ],
              ["Address", (each) => <code>{addressOf(each)}</code>, { className: look.nowrap }],
              ["Zones", (each) => <Served secondary={each} />, { className: look.nowrap }],
              ["Last transfer", ({ lastTransfer }) => <TransferText transfer={lastTransfer} />, { className: further }],
              ["Key", ({ tsigKey }) => (tsigKey ? <code>{tsigKey.name}</code> : noKey), { className: further }],
            ]}
          />
        </section>
      )}
      {data && !isEmpty && <Service data={data} />}
      {search.new && !readOnly && <SecondaryForm onClose={() => void navigate({ search: {}, replace: true })} />}
    </Page>
  );
}

/** What a phone does not show. */
const further = `${look.soft} ${look.unlessPhone}`;

/** One line about the catalogs and the instances of this service; unfolded, the instances. */
function Service({ data: { catalogs, service, instances } }: { readonly data: SecondaryListQuery }) {
  const running = instances?.filter(({ isAlive }) => isAlive) ?? [];
  const leader = running.find(({ isLeader }) => isLeader);
  const gone = (instances?.length ?? 0) - running.length;
  return (
    <details className={look.faint}>
      <summary className={css.summary}>
        {catalogs?.map((catalog) => (
          <Fragment key={catalog.zone}>
            Catalog <code>{catalog.zone}</code> lists {counted(catalog.memberCount, "zone")} at{" "}
            <code>{catalog.serial}</code>
            {catalog.publication && (
              <>
                , <Publication publication={catalog.publication} isWithin />
              </>
            )}
            .{" "}
          </Fragment>
        ))}
        This service: {counted(running.length, "instance")}
        {service && (
          <>
            , <code>{`${service.dnsAddress}:${service.dnsPort}`}</code>
          </>
        )}
        {leader && (
          <>
            , started <Ago time={leader.startedAt} />
          </>
        )}
        . {gone > 0 && <span className={look.warn}>{gone} gone. </span>}
        <span className={look.accent}>Details</span>
      </summary>
      <RowTable
        label="Instances"
        rows={instances ?? []}
        keyOf={({ host, pid, startedAt }) => `${host} ${pid} ${startedAt}`}
        columns={[
          [
            "Instance",
            ({ host, pid }) => (
              <>
                {host} <span className={look.soft}>process {pid}</span>
              </>
            ),
            { className: table.name },
          ],
          ["State", stateOf],
          ["Version", ({ version }) => version],
          ["Started", ({ startedAt }) => <Ago time={startedAt} />, { label: "started" }],
          ["Seen", ({ seenAt }) => <Ago time={seenAt} />, { label: "seen" }],
        ]}
      />
    </details>
  );
}

function stateOf({ isAlive, isLeader }: NonNullable<SecondaryListQuery["instances"]>[number]) {
  if (!isAlive) return <span className={look.warn}>gone</span>;
  if (isLeader) return <span title="It publishes to the name servers">leads</span>;
  return <span title="It answers requests; the instance that leads publishes to the name servers">runs</span>;
}
