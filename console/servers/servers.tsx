/**
 * The name servers that follow: what each answered last, and the way to add another.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { Button } from "../parts/control/button.tsx";
import page from "../parts/page/page.module.css";
import { Empty, Loading, Page } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { State } from "../parts/zone/state.tsx";
import { type Instance, type ListedSecondary, secondariesOptions } from "./queries.ts";
import { SecondaryForm } from "./secondary-form.tsx";
import css from "./servers.module.css";

const route = getRouteApi("/shell/servers");

export function Servers() {
  const { readOnly } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPending } = useQuery(secondariesOptions);
  const secondaries = data?.secondaries?.nodes ?? [];
  const catalog = data?.catalog;
  const add = !readOnly && (
    <Button
      kind="primary"
      icon="plus"
      aria-label="New server"
      onClick={() => void navigate({ search: { new: "server" } })}
    >
      Server
    </Button>
  );
  return (
    <Page title="Servers" actions={add}>
      {error && <Refusal error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <Loading />}
      {data && secondaries.length === 0 && (
        <Empty title="No name server follows yet" action={add}>
          Until one does, changes are committed and kept, and no name server has them. Any Knot, BIND, NSD or PowerDNS
          follows with a few lines, which are shown once it is added.
        </Empty>
      )}
      {secondaries.length > 0 && (
        <Table label="Name servers" headings={["Server", "Address", "Answers", "NOTIFY", "Last transfer", "Key"]}>
          {secondaries.map((secondary) => (
            <Row key={secondary.id} secondary={secondary} />
          ))}
        </Table>
      )}
      {catalog && secondaries.length > 0 && (
        <p className={css.catalog}>
          The catalog <code>{catalog.zone}</code> lists {counted(catalog.memberCount, "zone")} at serial{" "}
          <code>{catalog.serial}</code>
          {catalog.publication && (
            <>
              {" "}
              <State state={catalog.publication.state} />
            </>
          )}
        </p>
      )}
      {data?.instances && <Instances instances={data.instances} />}
      {search.new && !readOnly && <SecondaryForm onClose={() => void navigate({ search: {}, replace: true })} />}
    </Page>
  );
}

function Row({ secondary }: { readonly secondary: ListedSecondary }) {
  const { id, name, address, port, requiredForLive, indirect } = secondary;
  return (
    <tr>
      <td className={table.name}>
        <Link to="/servers/$server" params={{ server: id }}>
          {name}
        </Link>
        {!requiredForLive && <span className={table.soft}> not required</span>}
        {indirect && <span className={table.soft}> indirect</span>}
      </td>
      <td className={`${table.mono} ${table.nowrap}`}>
        {address} {port}
      </td>
      <td className={table.nowrap} data-label="answers">
        <AnswerText secondary={secondary} />, <ZonesText secondary={secondary} />
      </td>
      <td className={table.nowrap} data-label="NOTIFY">
        <NotifyText secondary={secondary} />
      </td>
      <td data-label="last transfer">
        <TransferText secondary={secondary} />
      </td>
      <td data-label="key">
        {secondary.tsigKey ? <code>{secondary.tsigKey.name}</code> : <span className={table.soft}>none</span>}
        {secondary.lastTsigError && <span className={table.trouble}> {secondary.lastTsigError.message}</span>}
      </td>
    </tr>
  );
}

interface OfSecondary {
  readonly secondary: ListedSecondary;
}

/** Whether an answer is a serial, or that all is well; otherwise it says what is wrong. */
const isFine = (answer: string) => /^(\d+|NOERROR)$/.test(answer);

/** Whether it answered when it was asked for a serial, otherwise what was wrong. */
export function AnswerText({ secondary: { lastQuery } }: { readonly secondary: Pick<ListedSecondary, "lastQuery"> }) {
  if (!lastQuery) return <span className={table.soft}>not asked yet</span>;
  return (
    <>
      {lastQuery.succeeded ? (
        <span className={table.fine}>answered</span>
      ) : (
        <span className={table.trouble}>{lastQuery.answer || "no answer"}</span>
      )}{" "}
      <span className={table.soft}>
        <Ago time={lastQuery.at} />
      </span>
    </>
  );
}

/** The processes of the service on its database, and the leader of them. */
function Instances({ instances }: { readonly instances: readonly Instance[] }) {
  return (
    <section className={`${page.panel} ${css.section}`}>
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
  return <span title="It publishes to the name servers">leads</span>;
}

/** How many zones it serves, and whether it has not had all of them yet. */
export function ZonesText({
  secondary: { progress, joinedAt },
}: {
  readonly secondary: Pick<ListedSecondary, "progress" | "joinedAt">;
}) {
  if (!progress) return <span className={table.soft}>–</span>;
  const text = `${progress.served} of ${counted(progress.total, "zone")}`;
  if (!joinedAt)
    return (
      <span className={table.soft} title="Changes do not wait for it before it has all zones">
        joining, {text}
      </span>
    );
  return <span className={progress.served === progress.total ? table.soft : table.trouble}>{text}</span>;
}

export function NotifyText({ secondary: { notify, lastNotify } }: OfSecondary) {
  if (!notify) return <span className={table.soft}>off</span>;
  if (!lastNotify) return <span className={table.soft}>not sent yet</span>;
  return (
    <>
      <span className={isFine(lastNotify.message) ? table.fine : table.trouble}>
        {lastNotify.message || "no answer"}
      </span>{" "}
      <span className={table.soft}>
        <Ago time={lastNotify.at} />
      </span>
    </>
  );
}

/** The last transfer: the zone and how much of it, how large, how long, and when. */
export function TransferText({ secondary: { lastTransfer } }: OfSecondary) {
  if (!lastTransfer) return <span className={table.soft}>none yet</span>;
  const { at, zone, kind, bytes, durationMs } = lastTransfer;
  const size = bytes === null ? "" : `${bytesText(bytes)}, `;
  return (
    <>
      {kind} of {zone}{" "}
      <span className={table.soft}>
        {size}
        {durationMs} ms, <Ago time={at} />
      </span>
    </>
  );
}

/** A size as people read it. */
function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1000).toFixed(1)} KB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
