/**
 * The zones that were deleted, which can be looked at and restored.
 */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useViewer } from "../../api/viewer.ts";
import { Button } from "../../parts/control/button.tsx";
import { useWritten } from "../../parts/control/use-debounced.ts";
import look from "../../parts/look.module.css";
import { Bar, Filter } from "../../parts/page/page.tsx";
import { SettingsList } from "../../parts/page/settings-list.tsx";
import table from "../../parts/page/table.module.css";
import { authorName, fullAuthor } from "../../parts/text/author.ts";
import { Ago } from "../../parts/text/time.tsx";
import { deletedZonesOptions, deletionOf } from "./deleted-queries.ts";
import { RestoreButton } from "./restore-zone.tsx";

const route = getRouteApi("/shell/settings/deleted");

export function DeletedZones() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { isAdministrator } = useViewer();
  const {
    text,
    settled: q,
    write,
  } = useWritten(search.q, (part) => void navigate({ search: { q: part }, replace: true }));
  const zones = useInfiniteQuery({ ...deletedZonesOptions(q), placeholderData: keepPreviousData });
  return (
    <SettingsList
      title="Deleted zones"
      none={q === "" ? "No zone was deleted" : "No deleted zone matches"}
      about="The journal of a deleted zone is kept: it can be looked at as it was, and restored whole."
      noneAction={q !== "" && <Button onClick={() => write("")}>Clear filter</Button>}
      filter={
        <Bar>
          <Filter label="Find a deleted zone…" value={text} onChange={write} />
        </Bar>
      }
      query={zones}
      what="zones"
      headings={["Zone", "Deleted", "By", "#Last serial", ...(isAdministrator ? ["Owner"] : [])]}
      keyOf={({ domainId }) => domainId}
      nameOf={({ zoneUnicode }) => zoneUnicode}
      cells={(zone) => {
        const deletion = deletionOf(zone);
        return (
          <>
            <td className={table.name}>
              <Link to="/settings/deleted/$domain" params={{ domain: zone.domainId }}>
                {zone.zoneUnicode}
              </Link>
            </td>
            <td className={look.nowrap} data-label="deleted">
              <Ago time={zone.deletedAt} />
            </td>
            <td className={`${look.cut} ${table.line}`} data-label="by" title={deletion && fullAuthor(deletion)}>
              {deletion && authorName(deletion)}
            </td>
            <td className={`${table.number} ${look.mono}`} data-label="last serial">
              {zone.serial}
            </td>
            {isAdministrator && (
              <td className={`${look.cut} ${table.line}`} title={zone.user?.email}>
                {zone.user?.email ?? <span className={look.soft}>no user any more</span>}
              </td>
            )}
          </>
        );
      }}
      actions={(zone) => <RestoreButton deleted={zone} kind="quiet" label={`Restore ${zone.zoneUnicode}…`} />}
    />
  );
}
