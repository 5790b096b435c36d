/** One name server: its card with the zones that it is behind with, and the configuration that makes it follow. */

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { SecondaryServer } from "../api/generated/graphql.ts";
import { queries } from "../api/queries.ts";
import { graphql, run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { Button } from "../parts/control/button.tsx";
import { Field, TextInput } from "../parts/control/field.tsx";
import { useDebounced } from "../parts/control/hooks.ts";
import look from "../parts/look.module.css";
import { CopiedLines } from "../parts/page/copied.tsx";
import { Question } from "../parts/page/form.tsx";
import { Read } from "../parts/page/list.tsx";
import { Empty, Page, Refusal, Segments } from "../parts/page/page.tsx";
import { listedWords } from "../parts/text/listed-words.ts";
import { type ListedSecondary, secondariesOptions } from "./queries.ts";
import { SecondaryForm } from "./secondary-form.tsx";
import { ServerCard, useLate } from "./server-card.tsx";
import css from "./servers.module.css";

const route = getRouteApi("/shell/servers/$server");

export function Server() {
  const { server: id } = route.useParams();
  return (
    <Read query={useQuery(secondariesOptions)} title="Server">
      {({ secondaries, service }) => {
        const secondary = secondaries?.nodes.find((each) => each.id === id);
        if (secondary) return <Shown secondary={secondary} dnsPort={service?.dnsPort} />;
        return (
          <Page title="No such server">
            <Empty title="There is no such server" action={<Link to="/servers">To the servers</Link>} />
          </Page>
        );
      }}
    </Read>
  );
}

const deleteSecondary = graphql(`
  mutation DeleteSecondary($input: DeleteSecondaryInput!) { deleteSecondary(input: $input) { deletedId } }
`);

interface ShownProps {
  readonly secondary: ListedSecondary;
  readonly dnsPort: number | undefined;
}

function Shown({ secondary, dnsPort }: ShownProps) {
  const { id, name } = secondary;
  const { software } = route.useSearch();
  const { readOnly } = useViewer();
  const late = useLate();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = () => setOpen(undefined);
  const actions = !readOnly && (
    <>
      <Button onClick={() => setOpen("edit")}>Edit…</Button>
      <Button kind="danger" onClick={() => setOpen("delete")}>
        Delete…
      </Button>
    </>
  );
  return (
    <Page isText title={name} actions={actions}>
      <ServerCard secondary={secondary} late={late.get(id)} isOnPage isOpen={software !== undefined} />
      {software && !readOnly && <Configuration secondary={secondary} dnsPort={dnsPort} />}
      {open === "edit" && <SecondaryForm secondary={secondary} onClose={close} />}
      {open === "delete" && (
        <Question
          title={`Delete ${name}?`}
          action="Delete the server"
          send={() => run(deleteSecondary, { input: { by: { id } } })}
          onSuccess={async () => {
            await navigate({ to: "/servers" });
            void queries.invalidateQueries();
          }}
          onClose={close}
        >
          It is notified no longer and may transfer no zone. What it has, it serves until its zones expire; what was
          observed of it is deleted.
        </Question>
      )}
    </Page>
  );
}

const configurationQuery = graphql(`
  query Configuration($id: ID!, $server: SecondaryServer!, $primaries: [String!]) {
    secondaryConfig(by: { id: $id }, server: $server, primaries: $primaries)
  }
`);

const servers: readonly { readonly value: SecondaryServer; readonly label: string }[] = [
  { value: "KNOT", label: "Knot" },
  { value: "BIND", label: "BIND" },
  { value: "NSD", label: "NSD" },
  { value: "POWERDNS", label: "PowerDNS" },
];

function Configuration({ secondary: { id }, dnsPort }: ShownProps) {
  const { software: server = "KNOT" } = route.useSearch();
  const navigate = route.useNavigate();
  const [primary, setPrimary] = useState("");
  // None are those that the instances listen on.
  const primaries = listedWords(useDebounced(primary));
  const { data, error } = useQuery({
    queryKey: ["configuration", id, server, primaries],
    queryFn: async ({ signal }) => (await run(configurationQuery, { id, server, primaries }, signal)).secondaryConfig,
    // It holds the secret of a key, which is not to stay in memory.
    gcTime: 0,
    retry: false,
  });
  return (
    <section className={look.stack}>
      <h2>Configuration</h2>
      <div className={look.line}>
        <Segments
          label="Software of the server"
          value={server}
          onChange={(software) => void navigate({ search: { software }, replace: true, resetScroll: false })}
          options={servers}
        />
        <div className={`${look.end} ${css.primary}`}>
          <Field
            label="This service, as the server reaches it"
            hint="With several instances, write all their addresses, separated by spaces."
          >
            <TextInput
              placeholder={`address${dnsPort === undefined ? "" : `:${dnsPort}`}`}
              value={primary}
              onChange={setPrimary}
            />
          </Field>
        </div>
      </div>
      {error && <Refusal error={error} />}
      {data && !error && <CopiedLines label="Configuration" text={data} what="the configuration" />}
    </section>
  );
}
