/**
 * The templates, from which zones are made.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import look from "../parts/look.module.css";
import { SettingsList } from "../parts/page/settings-list.tsx";
import table from "../parts/page/table.module.css";
import { templatesOptions } from "./queries.ts";

export function Templates() {
  const navigate = useNavigate();
  return (
    <SettingsList
      title="Templates"
      none="There are no templates yet"
      about="A template holds the records that new zones begin with. Where zones differ, such as in an address, it has variables, whose values are asked for when a zone is made from it."
      add="New template"
      onAdd={() => void navigate({ to: "/settings/templates/new" })}
      query={useInfiniteQuery(templatesOptions)}
      what="templates"
      headings={["Name", "Description", "Variables", "Who may use it"]}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      cells={({ id, name, description, variables, user }) => (
        <>
          <td className={table.name}>
            <Link to="/settings/templates/$template" params={{ template: id }}>
              {name}
            </Link>
          </td>
          <td className={look.anywhere}>{description}</td>
          <td data-label="variables">{variables.map((each) => each.name).join(", ") || "none"}</td>
          <td className={`${look.cut} ${table.line}`} title={user?.email}>
            {user?.email ?? <span className={look.soft}>all users</span>}
          </td>
        </>
      )}
    />
  );
}
