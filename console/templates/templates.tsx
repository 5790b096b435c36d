/**
 * The templates, from which zones are made.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import look from "../parts/look.module.css";
import { SettingsList } from "../parts/page/settings-list.tsx";
import { templatesOptions } from "./queries.ts";

export function Templates() {
  const navigate = useNavigate();
  return (
    <SettingsList
      title="Templates"
      noun="template"
      none="There are no templates yet"
      about="A template holds the records that new zones begin with. Where zones differ, such as in an address, it has variables, whose values are asked for when a zone is made from it."
      onAdd={() => void navigate({ to: "/settings/templates/new" })}
      query={useInfiniteQuery(templatesOptions)}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      columns={[
        {
          heading: "Name",
          cell: ({ name }) => name,
          link: ({ id }) => ({ to: "/settings/templates/$template", params: { template: id } }),
        },
        { heading: "Description", cell: ({ description }) => description, className: look.anywhere },
        {
          heading: "Variables",
          cell: ({ variables }) => variables.map(({ name }) => name).join(", ") || "none",
          label: "variables",
        },
        {
          heading: "Who may use it",
          cell: ({ user }) => user?.email ?? <span className={look.soft}>all users</span>,
          isCut: true,
        },
      ]}
    />
  );
}
