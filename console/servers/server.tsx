/**
 * One name server: its card with the zones that it is behind with, and the configuration that makes it follow.
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
import { Read } from "../parts/page/list.tsx";
import { Empty, Page } from "../parts/page/page.tsx";
import { Configuration } from "./configuration.tsx";
import { type ListedSecondary, secondariesOptions } from "./queries.ts";
import { SecondaryForm } from "./secondary-form.tsx";
import { ServerCard, useLate } from "./server-card.tsx";

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
          onSent={async () => {
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
