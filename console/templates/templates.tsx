/**
 * The templates, from which zones are made.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { buttonClass } from "../parts/control/button.tsx";
import { Icon } from "../parts/control/icon.tsx";
import { List } from "../parts/page/list.tsx";
import { Empty, Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { templatesOptions } from "./queries.ts";

export function Templates() {
  const { readOnly } = useViewer();
  const templates = useInfiniteQuery(templatesOptions);
  const add = !readOnly && (
    <Link to="/settings/templates/new" className={buttonClass("primary")} aria-label="New template">
      <Icon name="plus" /> Template
    </Link>
  );
  return (
    <Page title="Templates" actions={add}>
      <List
        query={templates}
        what="templates"
        label="Templates"
        headings={["Name", "Description", "Variables", "Who may use it"]}
        empty={
          <Empty title="There are no templates yet" action={add}>
            A template holds the records that new zones begin with. Where zones differ, such as in an address, it has
            variables, whose values are asked for when a zone is made from it.
          </Empty>
        }
        row={({ id, name, description, variables, user }) => (
          <tr key={id}>
            <td className={table.name}>
              <Link to="/settings/templates/$template" params={{ template: id }}>
                {name}
              </Link>
            </td>
            <td className={table.wide}>{description}</td>
            <td data-label="variables">{variables.map((each) => each.name).join(", ") || "none"}</td>
            <td className={table.line} title={user?.email}>
              {user?.email ?? <span className={table.soft}>all users</span>}
            </td>
          </tr>
        )}
      />
    </Page>
  );
}
