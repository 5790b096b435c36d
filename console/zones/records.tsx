/**
 * The records of a zone: its sheet.
 */
import { skipToken, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { zoneOptions } from "../api/zone.ts";
import { fold } from "../difference/fold.ts";
import { changeOptions } from "../history/queries.ts";
import { handOver } from "../import/handed-over.ts";
import { Sheet } from "../sheet/sheet.tsx";

const route = getRouteApi("/shell/zones/$zone/");

export function Records() {
  const { zone } = route.useParams();
  const search = route.useSearch();
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
  return (
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
      onSearch={(next) => void navigate({ to: "/zones/$zone", params: { zone }, search: next, replace: true })}
      onImport={(text) => {
        handOver(text);
        void navigate({ to: "/zones/$zone/import", params: { zone } });
      }}
    />
  );
}
