/**
 * One template: its variables and records, and what can be done with it.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { readAgain } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button, buttonClass } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Question } from "../parts/page/form-dialog.tsx";
import { Read } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Page } from "../parts/page/page.tsx";
import { RowTable } from "../parts/page/table.tsx";
import { ApplyTemplate } from "./apply-template.tsx";
import { deleteTemplate, kindWords, noDefault, placeholder, type ShownTemplate, templateOptions } from "./queries.ts";

const data = `${look.mono} ${look.anywhere}`;

const route = getRouteApi("/shell/settings/templates/$template");

export function Template() {
  const { template: id } = route.useParams();
  return (
    <Read query={useQuery(templateOptions(id))} title="Template">
      {(template) => <Shown template={template} />}
    </Read>
  );
}

function Shown({ template }: { readonly template: ShownTemplate }) {
  const { id, name, description, user, variables, records } = template;
  const { readOnly, isAdministrator } = useViewer();
  const navigate = route.useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const [isApplying, setApplying] = useState(false);
  // A shared one is the administrators'.
  const mayWrite = !readOnly && (isAdministrator || user !== null);
  return (
    <Page
      title={name}
      beside={<span className={look.soft}>{user?.email ?? "for all users"}</span>}
      actions={
        <>
          {mayWrite && (
            <>
              <Link to="/settings/templates/$template/edit" params={{ template: id }} className={buttonClass()}>
                Edit
              </Link>
              <Button kind="danger" onClick={() => setDeleting(true)}>
                Delete…
              </Button>
            </>
          )}
          {!readOnly && <Button onClick={() => setApplying(true)}>Apply to zones…</Button>}
          {!readOnly && (
            <Link to="/zones" search={{ new: "zone", template: id }} className={buttonClass("primary")}>
              New zone from it
            </Link>
          )}
        </>
      }
    >
      {description && <p className={page.quote}>{description}</p>}
      {variables.length > 0 && (
        <>
          <h2>Variables</h2>
          <RowTable
            label="Variables"
            rows={variables}
            keyOf={(variable) => variable.name}
            columns={[
              { heading: "Name", cell: (each) => placeholder(each.name), className: look.mono },
              { heading: "Kind", cell: ({ kind }) => kindWords[kind] },
              {
                heading: "Default",
                cell: (each) => each.default ?? noDefault,
                className: look.anywhere,
                label: "default",
              },
              { heading: "Description", cell: (each) => each.description, className: look.anywhere },
            ]}
          />
        </>
      )}
      <h2>Records</h2>
      <RowTable
        label="Records"
        rows={records}
        // They are not moved.
        keyOf={(record) => records.indexOf(record)}
        columns={[
          { heading: "Owner", cell: ({ owner }) => owner, className: data },
          { heading: "Type", cell: ({ type }) => type, className: look.mono },
          { heading: "#TTL", cell: ({ ttl }) => ttl ?? "usual", className: look.mono, label: "TTL" },
          { heading: "Data", cell: ({ rdata }) => rdata, className: data },
        ]}
      />
      {isApplying && <ApplyTemplate template={template} onClose={() => setApplying(false)} />}
      {isDeleting && (
        <Question
          title={`Delete ${name}?`}
          action="Delete the template"
          send={() => deleteTemplate(id)}
          onSent={async () => {
            announceResult(`${name} is deleted.`);
            readAgain("templates");
            await navigate({ to: "/settings/templates" });
          }}
          onClose={() => setDeleting(false)}
        >
          Zones that were made from it stay as they are.
        </Question>
      )}
    </Page>
  );
}
