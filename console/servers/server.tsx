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
import look from "../parts/look.module.css";
import { Question } from "../parts/page/form-dialog.tsx";
import { Reading } from "../parts/page/list.tsx";
import { Empty, Page } from "../parts/page/page.tsx";
import { Configuration } from "./configuration.tsx";
import { type ListedSecondary, secondariesOptions } from "./queries.ts";
import { SecondaryForm } from "./secondary-form.tsx";
import { ServerCard, useLate } from "./server-card.tsx";

const route = getRouteApi("/shell/servers/$server");

export function Server() {
  const { server: id } = route.useParams();
  const { software } = route.useSearch();
  const { readOnly } = useViewer();
  const late = useLate();
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
      isText
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
      <div className={look.stack}>
        <ServerCard secondary={secondary} late={late.get(id)} isOnPage isOpen={software !== undefined} />
        {software && !readOnly && <Configuration secondary={secondary} dnsPort={data.service?.dnsPort} />}
      </div>
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
