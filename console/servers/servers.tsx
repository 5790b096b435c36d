/**
 * The name servers that follow: those that are late and those that join as cards, the others as a table; below them the catalog and the
 * instances of this service.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { SecondaryListQuery } from "../api/generated/graphql.ts";
import { useViewer } from "../api/viewer.ts";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Empty, Loading, Page } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { Publication } from "../parts/zone/state.tsx";
import { type Instance, type ListedSecondary, secondariesOptions } from "./queries.ts";
import { SecondaryForm } from "./secondary-form.tsx";
import { Address, KeyText, Served, ServerCard, TransferText, useLate } from "./server-card.tsx";
import css from "./servers.module.css";

const route = getRouteApi("/shell/servers");

export function Servers() {
  const { readOnly } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPending } = useQuery(secondariesOptions);
  const late = useLate();
  const secondaries = data?.secondaries?.nodes ?? [];
  const joining = secondaries.filter(({ joinedAt }) => !joinedAt);
  const joined = secondaries.filter(({ joinedAt }) => joinedAt);
  const add = !readOnly && (
    <Button kind="primary" icon="plus" onClick={() => void navigate({ search: { new: "server" } })}>
      Add server
    </Button>
  );
  return (
    <Page
      isText
      title="Servers"
      beside={secondaries.length > 0 && <span className={look.faint}>{secondaries.length}</span>}
      actions={secondaries.length > 0 && add}
    >
      <div className={look.stack}>
        {error && <Refusal error={error} onRetry={() => void refetch()} />}
        {isPending && !error && <Loading />}
        {data && secondaries.length === 0 && (
          <Empty title="No name server yet" action={add}>
            Add one: you get its configuration to copy.
          </Empty>
        )}
        {[...joined.filter(({ id }) => late.has(id)), ...joining].map((secondary) => (
          <ServerCard key={secondary.id} secondary={secondary} late={late.get(secondary.id)} />
        ))}
        <UpToDate secondaries={joined.filter(({ id }) => !late.has(id))} />
        {data && secondaries.length > 0 && <Service data={data} />}
      </div>
      {search.new && !readOnly && <SecondaryForm onClose={() => void navigate({ search: {}, replace: true })} />}
    </Page>
  );
}

function UpToDate({ secondaries }: { readonly secondaries: readonly ListedSecondary[] }) {
  if (secondaries.length === 0) return null;
  return (
    <Table label="Name servers" headings={["Up to date", "Address", "Zones", "Last transfer", "Key"]}>
      {secondaries.map((secondary) => (
        <tr key={secondary.id}>
          <td className={table.name}>
            <Link to="/servers/$server" params={{ server: secondary.id }}>
              {secondary.name}
            </Link>
            {!secondary.requiredForLive && <span className={look.faint}> not required</span>}
            {secondary.indirect && <span className={look.faint}> indirect</span>}
          </td>
          <td className={look.nowrap}>
            <Address secondary={secondary} />
          </td>
          <td className={look.nowrap}>
            <Served secondary={secondary} />
          </td>
          <td className={`${look.soft} ${look.unlessPhone}`}>
            <TransferText transfer={secondary.lastTransfer} />
          </td>
          <td className={`${look.soft} ${look.unlessPhone}`}>
            <KeyText secondary={secondary} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** One line about the catalog and the instances of this service; unfolded, the instances. */
function Service({ data: { catalog, service, instances } }: { readonly data: SecondaryListQuery }) {
  const running = instances?.filter(({ isAlive }) => isAlive) ?? [];
  const leader = running.find(({ isLeader }) => isLeader);
  const gone = (instances?.length ?? 0) - running.length;
  return (
    <details className={look.faint}>
      <summary className={css.summary}>
        {catalog && (
          <>
            Catalog <code>{catalog.zone}</code> lists {counted(catalog.memberCount, "zone")} at{" "}
            <code>{catalog.serial}</code>
            {catalog.publication && (
              <>
                , <Publication publication={catalog.publication} isWithin />
              </>
            )}
            .{" "}
          </>
        )}
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
      <Table label="Instances" headings={["Instance", "State", "Version", "Started", "Seen"]}>
        {instances?.map((instance) => (
          <tr key={`${instance.host} ${instance.pid} ${instance.startedAt}`}>
            <td className={table.name}>
              {instance.host} <span className={look.soft}>process {instance.pid}</span>
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
    </details>
  );
}

function InstanceState({ instance: { isAlive, isLeader } }: { readonly instance: Instance }) {
  if (!isAlive) return <span className={look.warn}>gone</span>;
  if (!isLeader)
    return <span title="It answers requests; the instance that leads publishes to the name servers">runs</span>;
  return <span title="It publishes to the name servers">leads</span>;
}
