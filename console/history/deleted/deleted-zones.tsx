/** The zones that were deleted, which can be looked at and restored. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useViewer } from "../../api/viewer.ts";
import { Button } from "../../parts/control/button.tsx";
import { useWritten } from "../../parts/control/hooks.ts";
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
      noun="zone"
      keyOf={({ domainId }) => domainId}
      nameOf={({ zoneUnicode }) => zoneUnicode}
      columns={[
        [
          "Zone",
          ({ domainId, zoneUnicode }) => (
            <Link to="/settings/deleted/$domain" params={{ domain: domainId }}>
              {zoneUnicode}
            </Link>
          ),
          { className: table.name },
        ],
        ["Deleted", ({ deletedAt }) => <Ago time={deletedAt} />, { className: look.nowrap, label: "deleted" }],
        [
          "By",
          (zone) => {
            const deletion = deletionOf(zone);
            return deletion && <span title={fullAuthor(deletion)}>{authorName(deletion)}</span>;
          },
          { isCut: true, label: "by" },
        ],
        ["#Last serial", ({ serial }) => serial, { className: look.mono, label: "last serial" }],
        isAdministrator && [
          "Owner",
          ({ user }) => user?.email ?? <span className={look.soft}>no user any more</span>,
          { isCut: true },
        ],
      ]}
      actions={(zone) => <RestoreButton deleted={zone} kind="quiet" label={`Restore ${zone.zoneUnicode}…`} />}
    />
  );
}
