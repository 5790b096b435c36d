/**
 * The records of a zone: its sheet.
 */
import { skipToken, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { zoneOptions } from "../api/zone.ts";
import { fold } from "../difference/fold.ts";
import { changeOptions } from "../history/queries.ts";
import { handOver } from "../import/handed-over.ts";
import { ImportZone } from "../import/import-zone.tsx";
import { Sheet } from "../sheet/sheet.tsx";
import type { SheetSearch } from "../sheet/sheet-search.ts";

const route = getRouteApi("/shell/zones/$zone/");

export function Records() {
  const { zone } = route.useParams();
  const address = route.useSearch();
  const [search, onSearch] = useSheetSearch(zone);
  const navigate = useNavigate();
  const { data: shown } = useSuspenseQuery(zoneOptions(zone));
  const undone = useQuery({
    ...changeOptions(search.undo ?? ""),
    ...(search.undo === undefined && { queryFn: skipToken }),
    select: ({ change, records }) => {
      const isOfZone = change?.zone === shown.zone && change.kind === "EDIT" && records.isWhole;
      return isOfZone ? { serial: change.serial, lines: fold([records]) } : null;
    },
  });
  const viewer = useViewer();
  const fingerprint = viewer.key?.fingerprint ?? "none";
  const importing = (on: boolean) =>
    void navigate({ to: "/zones/$zone", params: { zone }, search: { ...search, import: on ? "1" : undefined } });
  return (
    <>
      <Sheet
        // Drafts are kept by key and zone.
        key={`${fingerprint} ${shown.zone}`}
        zone={shown.zone}
        fingerprint={fingerprint}
        isReadOnly={viewer.readOnly}
        serial={shown.serial}
        publication={shown.publication ?? undefined}
        search={search}
        undone={undone.data}
        onSearch={onSearch}
        onImport={(content) => {
          handOver(content);
          importing(true);
        }}
      />
      {address.import && !viewer.readOnly && <ImportZone zone={zone} onDone={() => importing(false)} />}
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
