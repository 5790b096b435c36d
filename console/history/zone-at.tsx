/**
 * A zone as it was, as a page of the zone: with the way back to that moment, and what it differs by from the present.
 */
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { queries } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button, buttonClass } from "../parts/control/button.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import type { Author } from "./moment/moment.ts";
import { useMoments } from "./moment/moment-list.tsx";
import { PastZone } from "./moment/past-zone.tsx";
import { restorationOptions, restoreAsSet } from "./restore.ts";

const route = getRouteApi("/shell/zones/$zone/history/$moment");

export function ZoneAt() {
  const { zone, moment } = route.useParams();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const { readOnly } = useViewer();
  const moments = useMoments({ zone });
  const restoring = useMutation({
    mutationFn: async ({ serial }: Author) => {
      const { lines, isDraft } = await queries.fetchQuery({ ...restorationOptions(zone, serial), staleTime: 0 });
      if (lines.length === 0) return announceResult("The zone is now as it was then: nothing would change.");
      if (isDraft) return navigate({ to: "/zones/$zone", params: { zone }, search: { restore: serial } });
      const set = await restoreAsSet(zone, serial);
      if (set !== undefined) await navigate({ to: "/changes/$change", params: { change: set } });
    },
  });
  const [newest] = moments.changes;
  return (
    <>
      {restoring.error && <Refusal error={restoring.error} />}
      <PastZone
        key={zone}
        past={{ zone }}
        zone={zone}
        moment={moment}
        filter={filter}
        moments={moments}
        onMoment={(text) =>
          void navigate({ params: { zone, moment: text }, search: filter, replace: true, resetScroll: false })
        }
        onFilter={(search) => void navigate({ params: { zone, moment }, search, replace: true, resetScroll: false })}
        actions={(change, isLast) =>
          !isLast &&
          newest && (
            <>
              <Link
                to="/zones/$zone/history"
                params={{ zone }}
                search={{ from: String(change.serial), to: newest.serial }}
                className={buttonClass()}
              >
                Compare with now
              </Link>
              {!readOnly && (
                <Button icon="undo" busy={restoring.isPending} onClick={() => restoring.mutate(change)}>
                  Restore…
                </Button>
              )}
            </>
          )
        }
      />
    </>
  );
}
