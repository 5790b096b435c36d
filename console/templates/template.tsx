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
import { Reading } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { ApplyTemplate } from "./apply-template.tsx";
import {
  deleteTemplate,
  kindWords,
  noDefault,
  placeholder,
  type ShownTemplate,
  templateOptions,
  variableHeadings,
} from "./queries.ts";

const route = getRouteApi("/shell/settings/templates/$template");

export function Template() {
  const { template: id } = route.useParams();
  const query = useQuery(templateOptions(id));
  const { data } = query;
  if (data) return <Shown template={data} />;
  return (
    <Page title="Template">
      <Reading query={query} />
    </Page>
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
          <Table label="Variables" headings={variableHeadings}>
            {variables.map((variable) => (
              <tr key={variable.name}>
                <td className={look.mono}>{placeholder(variable.name)}</td>
                <td>{kindWords[variable.kind]}</td>
                <td data-label="default" className={look.anywhere}>
                  {variable.default ?? noDefault}
                </td>
                <td className={look.anywhere}>{variable.description}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
      <h2>Records</h2>
      <Table label="Records" headings={["Owner", "Type", "#TTL", "Data"]}>
        {records.map(({ owner, type, ttl, rdata }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: records are not moved
          <tr key={at}>
            <td className={`${look.mono} ${look.anywhere}`}>{owner}</td>
            <td className={look.mono}>{type}</td>
            <td className={`${look.mono} ${table.number}`} data-label="TTL">
              {ttl ?? "usual"}
            </td>
            <td className={`${look.mono} ${look.anywhere}`}>{rdata}</td>
          </tr>
        ))}
      </Table>
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
