/** A zone as it was, as a page of the zone: with what differs from now, and the way to bring that moment back. */
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { queries } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { zoneOptions } from "../api/zone.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button, buttonClass } from "../parts/control/button.tsx";
import { Refusal } from "../parts/page/page.tsx";
import type { Author } from "./moment/moment.ts";
import { PastZone } from "./moment/past-zone.tsx";
import { restorationOptions, restoreAsSet } from "./restore.ts";

const route = getRouteApi("/shell/zones/$zone/history/$moment");

export function ZoneAt() {
  const { zone, moment } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { readOnly } = useViewer();
  const { serial: present } = useSuspenseQuery(zoneOptions(zone)).data;
  const restoring = useMutation({
    mutationFn: async ({ serial }: Author) => {
      const { lines, isDraft } = await queries.fetchQuery({ ...restorationOptions(zone, serial), staleTime: 0 });
      if (lines.length === 0) return announceResult("The zone is now as it was then: nothing would change.");
      if (isDraft) return navigate({ to: "/zones/$zone", params: { zone }, search: { restore: serial } });
      const set = await restoreAsSet(zone, serial);
      if (set !== undefined) await navigate({ to: "/changes/$change", params: { change: set } });
    },
  });
  return (
    <>
      {restoring.error && <Refusal error={restoring.error} />}
      <PastZone
        key={zone}
        past={{ zone }}
        zone={zone}
        moment={moment}
        present={present}
        search={search}
        onMoment={(text) =>
          void navigate({ params: { zone, moment: text }, search, replace: true, resetScroll: false })
        }
        onSearch={(changed) => void navigate({ search: changed, replace: true, resetScroll: false })}
        actions={(change, isLast, exported) => (
          <>
            {!isLast && (
              <Link
                to="/zones/$zone/history"
                params={{ zone }}
                search={{ from: String(change.serial), to: present }}
                className={buttonClass()}
              >
                Compare with now
              </Link>
            )}
            {exported}
            {!isLast && !readOnly && (
              <Button icon="undo" busy={restoring.isPending} onClick={() => restoring.mutate(change)}>
                Restore…
              </Button>
            )}
          </>
        )}
      />
    </>
  );
}
