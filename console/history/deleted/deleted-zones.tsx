/**
 * The zones that were deleted, which can be looked at and restored.
 */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useViewer } from "../../api/viewer.ts";
import { Button } from "../../parts/control/button.tsx";
import { useDebounced } from "../../parts/control/use-debounced.ts";
import { More } from "../../parts/page/more.tsx";
import { Bar, Empty, Filter, Loading, Page } from "../../parts/page/page.tsx";
import { Refusal } from "../../parts/page/refusal.tsx";
import table from "../../parts/page/table.module.css";
import { Table } from "../../parts/page/table.tsx";
import { authorName, fullAuthor } from "../../parts/text/author.ts";
import { Ago } from "../../parts/text/time.tsx";
import { type DeletedZone, deletedZonesOptions } from "./deleted-queries.ts";
import { deletionOf } from "./deletion.tsx";
import { RestoreZone } from "./restore-zone.tsx";

const route = getRouteApi("/shell/deleted");

export function DeletedZones() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { isAdministrator, readOnly } = useViewer();
  const [text, setText] = useState(search.q ?? "");
  const q = useDebounced(text.trim());
  const zones = useInfiniteQuery({ ...deletedZonesOptions(q), placeholderData: keepPreviousData });
  const rows = zones.data?.pages.flatMap(({ nodes }) => nodes) ?? [];
  const [restored, setRestored] = useState<DeletedZone>();
  const type = (value: string) => {
    setText(value);
    void navigate({ search: value.trim() === "" ? {} : { q: value.trim() }, replace: true });
  };
  return (
    <Page title="Deleted zones">
      <Bar>
        <Filter label="Find a deleted zone…" value={text} onChange={type} />
      </Bar>
      {zones.error && <Refusal error={zones.error} onRetry={() => void zones.refetch()} />}
      {zones.isPending && !zones.error && <Loading />}
      {zones.data && rows.length === 0 && (
        <Empty
          title={q === "" ? "No zone was deleted" : "No deleted zone matches"}
          action={q !== "" && <Button onClick={() => type("")}>Clear the filter</Button>}
        >
          The journal of a deleted zone is kept: it can be looked at as it was, and restored whole.
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          label="Deleted zones"
          headings={["Zone", "Deleted", "By", "#Last serial", ...(isAdministrator ? ["User"] : [])]}
          hasActions
          foot={<More query={zones} what="zones" />}
        >
          {rows.map((zone) => (
            <tr key={zone.domainId}>
              <td className={`${table.strong} ${table.wide}`}>
                <Link to="/deleted/$domain" params={{ domain: zone.domainId }}>
                  {zone.zoneUnicode}
                </Link>
              </td>
              <td className={table.nowrap} data-label="deleted">
                <Ago time={zone.deletedAt} />
              </td>
              <td className={table.line} data-label="by">
                <DeletedBy zone={zone} />
              </td>
              <td className={`${table.number} ${table.mono}`} data-label="last serial">
                {zone.serial}
              </td>
              {isAdministrator && (
                <td className={table.line} title={zone.user?.email}>
                  {zone.user?.email ?? <span className={table.soft}>no user any more</span>}
                </td>
              )}
              <td className={table.end}>
                {!readOnly && (
                  <Button
                    kind="quiet"
                    icon="undo"
                    aria-label={`Restore ${zone.zoneUnicode}…`}
                    onClick={() => setRestored(zone)}
                  >
                    Restore…
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {restored && <RestoreZone deleted={restored} onClose={() => setRestored(undefined)} />}
    </Page>
  );
}

function DeletedBy({ zone }: { readonly zone: DeletedZone }) {
  const deletion = deletionOf(zone);
  if (!deletion) return null;
  return <span title={fullAuthor(deletion)}>{authorName(deletion)}</span>;
}
