/** The records of a zone: its sheet, and its draft. */
import { skipToken, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, useMatches, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { zoneOptions } from "../api/zone.ts";
import { changeLines } from "../difference/difference.ts";
import { changeOptions, titleOfChange } from "../history/queries.ts";
import { restorationOptions } from "../history/restore.ts";
import { handOver } from "../import/handed-over.ts";
import { ImportZone } from "../import/import-zone.tsx";
import { SheetPages } from "../sheet/sheet-pages.tsx";
import type { SheetSearch } from "../sheet/sheet-search.ts";

const route = getRouteApi("/shell/zones/$zone/records");

export function Records() {
  const { zone } = route.useParams();
  const address = route.useSearch();
  const [search, onSearch] = useSheetSearch(zone);
  const navigate = useNavigate();
  const isDraft = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId.endsWith("/draft")) });
  const { data: shown } = useSuspenseQuery(zoneOptions(zone));
  const undone = useQuery({
    ...changeOptions(search.undo ?? ""),
    ...(search.undo === undefined && { queryFn: skipToken }),
    select: ({ change, records }) => {
      const isOfZone = change?.zone === shown.zone && change.kind === "EDIT" && records.isWhole;
      if (!isOfZone) return null;
      return {
        id: change.id,
        serial: change.serial,
        note: `Undo: ${titleOfChange(change)}`,
        lines: changeLines(records),
      };
    },
  });
  const restored = useQuery({
    ...restorationOptions(zone, search.restore ?? 0),
    ...(search.restore === undefined && { queryFn: skipToken }),
    select: ({ lines, isDraft }) =>
      isDraft ? { serial: search.restore ?? 0, note: `Restore ${search.restore}`, lines } : null,
  });
  const viewer = useViewer();
  const fingerprint = viewer.key?.fingerprint ?? "none";
  const at = { params: { zone }, search: { ...search, undo: undefined, restore: undefined } };
  const importing = (on: boolean) =>
    void navigate({ to: "/zones/$zone", ...at, search: { ...search, import: on ? "1" : undefined } });
  return (
    <>
      <SheetPages
        // Drafts are kept by key and zone.
        key={`${fingerprint} ${shown.zone}`}
        zone={shown.zone}
        fingerprint={fingerprint}
        isReadOnly={viewer.readOnly}
        serial={shown.serial}
        search={search}
        isDraft={isDraft}
        undone={search.restore === undefined ? undone.data : restored.data}
        onSearch={onSearch}
        onDraft={(isToDraft) =>
          void navigate({ to: isToDraft ? "/zones/$zone/draft" : "/zones/$zone", ...at, replace: !isToDraft })
        }
        onApplied={(id) => void navigate({ to: "/changes/$change", params: { change: id }, replace: true })}
        onImport={(content) => {
          handOver(content);
          importing(true);
        }}
      />
      {address.import && !viewer.readOnly && !isDraft && <ImportZone zone={zone} onDone={() => importing(false)} />}
    </>
  );
}

/** The part of the address that is the sheet's. What is typed is shown at once, so that no key is lost; the address follows it. */
function useSheetSearch(zone: string): readonly [SheetSearch, (next: SheetSearch) => void] {
  const address = route.useSearch();
  const navigate = useNavigate();
  const [q, setQ] = useState(address.q);
  const following = useRef(0);
  useEffect(() => {
    if (following.current === 0) setQ(address.q);
  }, [address.q]);
  const onSearch = (next: SheetSearch) => {
    setQ(next.q);
    following.current += 1;
    void navigate({ to: "/zones/$zone", params: { zone }, search: next, replace: true }).finally(() => {
      following.current -= 1;
    });
  };
  return [{ ...address, q }, onSearch];
}
