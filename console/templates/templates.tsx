/**
 * The templates, from which zones are made.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { buttonClass } from "../parts/control/button.tsx";
import { Icon } from "../parts/control/icon.tsx";
import { More } from "../parts/page/more.tsx";
import { Empty, Loading, Page } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { templatesOptions } from "./queries.ts";

export function Templates() {
  const { readOnly } = useViewer();
  const templates = useInfiniteQuery(templatesOptions);
  const rows = templates.data?.pages.flatMap((page) => page?.nodes ?? []) ?? [];
  const add = !readOnly && (
    <Link to="/templates/new" className={buttonClass("primary")} aria-label="New template">
      <Icon name="plus" /> Template
    </Link>
  );
  return (
    <Page title="Templates" actions={add}>
      {templates.error && <Refusal error={templates.error} onRetry={() => void templates.refetch()} />}
      {templates.isPending && !templates.error && <Loading />}
      {templates.data && rows.length === 0 && (
        <Empty title="There are no templates yet" action={add}>
          A template holds the records that new zones begin with. Where zones differ, such as in an address, it has
          variables, whose values are asked for when a zone is made from it.
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          label="Templates"
          headings={["Name", "Description", "Variables", "Who may use it"]}
          foot={<More query={templates} what="templates" />}
        >
          {rows.map(({ id, name, description, variables, user }) => (
            <tr key={id}>
              <td className={table.name}>
                <Link to="/templates/$template" params={{ template: id }}>
                  {name}
                </Link>
              </td>
              <td className={table.wide}>{description}</td>
              <td data-label="variables">{variables.map((each) => each.name).join(", ") || "none"}</td>
              <td className={table.line} title={user?.email}>
                {user?.email ?? <span className={table.soft}>all users</span>}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Page>
  );
}
