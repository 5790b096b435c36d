/**
 * One name server: what was observed of it, the zones that it is behind with, and the stanza that makes it follow.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { Button } from "../parts/control/button.tsx";
import { Question } from "../parts/page/form-dialog.tsx";
import { Reading } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Empty, Fact, Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { Ago } from "../parts/text/time.tsx";
import { State } from "../parts/zone/state.tsx";
import { behindOptions, type ListedSecondary, secondariesOptions } from "./queries.ts";
import { SecondaryForm } from "./secondary-form.tsx";
import css from "./servers.module.css";
import { AnswerText, NotifyText, TransferText, ZonesText } from "./servers.tsx";
import { Stanza } from "./stanza.tsx";

const route = getRouteApi("/shell/servers/$server");

export function Server() {
  const { server: id } = route.useParams();
  const { readOnly } = useViewer();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<"edit" | "delete">();
  const query = useQuery(secondariesOptions);
  const { data } = query;
  const secondary = data?.secondaries?.nodes.find((each) => each.id === id);
  if (!data)
    return (
      <Page title="Server">
        <Reading query={query} />
      </Page>
    );
  if (!secondary)
    return (
      <Page title="No such server">
        <Empty title="There is no such server" action={<Link to="/servers">To the servers</Link>} />
      </Page>
    );
  return (
    <Page
      title={secondary.name}
      actions={
        !readOnly && (
          <>
            <Button onClick={() => setOpen("edit")}>Edit…</Button>
            <Button kind="danger" onClick={() => setOpen("delete")}>
              Delete…
            </Button>
          </>
        )
      }
    >
      <Facts secondary={secondary} />
      {!readOnly && <Stanza secondary={secondary} dnsPort={data.service?.dnsPort} />}
      <Behind secondary={secondary} />
      {open === "edit" && <SecondaryForm secondary={secondary} onClose={() => setOpen(undefined)} />}
      {open === "delete" && (
        <DeleteSecondary
          secondary={secondary}
          onClose={() => setOpen(undefined)}
          onDeleted={() => void navigate({ to: "/servers" })}
        />
      )}
    </Page>
  );
}

function Facts({ secondary }: { readonly secondary: ListedSecondary }) {
  const { address, port, requiredForLive, tsigKey, lastTsigError, allowUnsignedTransfer } = secondary;
  return (
    <dl className={page.factBox}>
      <Fact name="Address">
        <span className={table.mono}>
          {address} port {port}
        </span>
      </Fact>
      <Fact name="Answers">
        <AnswerText secondary={secondary} />, <ZonesText secondary={secondary} />
      </Fact>
      <Fact name="NOTIFY">
        <NotifyText secondary={secondary} />
      </Fact>
      <Fact name="Last transfer">
        <TransferText secondary={secondary} />
      </Fact>
      <Fact name="TSIG">
        {tsigKey ? <code>{tsigKey.name}</code> : "no key"}
        {tsigKey?.revokedAt && <span className={table.trouble}> revoked</span>}
        {allowUnsignedTransfer && " · transfers without a signature are let through"}
        {lastTsigError && (
          <span className={table.trouble}>
            {" "}
            · refused: {lastTsigError.message} <Ago time={lastTsigError.at} />
          </span>
        )}
      </Fact>
      <Fact name="Required">
        {requiredForLive
          ? "yes: a change is live only when this server has it"
          : "no: a change is live without this server"}
      </Fact>
    </dl>
  );
}

/** The zones that a server does not serve as they are committed. */
function Behind({ secondary: { id, name } }: { readonly secondary: ListedSecondary }) {
  const { data, isPending } = useQuery(behindOptions(id));
  const zones = data?.nodes ?? [];
  const more = (data?.totalCount ?? 0) - zones.length;
  if (isPending) return null;
  return (
    <section className={css.section}>
      <h2>{zones.length === 0 ? "It serves every zone as it is committed" : "Zones that are not live here"}</h2>
      {zones.length > 0 && (
        <Table
          label="Zones that are not live here"
          headings={["Zone", "State", "Serves", "Should serve", "Last answer"]}
        >
          {zones.map(({ id: zoneId, zone, zoneUnicode, serial, publication }) => {
            const here = publication?.secondaries?.find((each) => each.name === name);
            return (
              <tr key={zoneId}>
                <td className={table.name}>
                  <Link to="/zones/$zone/servers" params={{ zone }}>
                    {zoneUnicode}
                  </Link>
                </td>
                <td>{here && <State state={here.state} />}</td>
                <td className={table.mono} data-label="serves">
                  {here?.serial ?? "nothing"}
                </td>
                <td className={table.mono} data-label="should serve">
                  {serial}
                </td>
                <td className={table.wide}>{here?.lastError}</td>
              </tr>
            );
          })}
        </Table>
      )}
      {more > 0 && (
        <p>
          And {more.toLocaleString()} more;{" "}
          <Link to="/zones" search={{ state: "LATE" }}>
            all zones that are late
          </Link>
          .
        </p>
      )}
    </section>
  );
}

const deleteSecondary = graphql(`
  mutation DeleteSecondary($input: DeleteSecondaryInput!) {
    deleteSecondary(input: $input) { deletedId }
  }
`);

interface DeleteSecondaryProps {
  readonly secondary: ListedSecondary;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteSecondary({ secondary: { id, name }, onClose, onDeleted }: DeleteSecondaryProps) {
  const deleted = () => {
    onDeleted();
    void queries.invalidateQueries();
  };
  return (
    <Question
      title={`Delete ${name}?`}
      action="Delete the server"
      send={() => run(deleteSecondary, { input: { by: { id } } })}
      onSent={deleted}
      onClose={onClose}
    >
      It is notified no longer and may transfer no zone. What it has, it serves until its zones expire; what was
      observed of it is deleted.
    </Question>
  );
}
