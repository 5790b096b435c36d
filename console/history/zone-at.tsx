/**
 * A zone as it was, as a page of the zone: with the way back to that moment, and what it differs by from the present.
 */
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { Button, buttonClass } from "../parts/control/button.tsx";
import type { Author } from "./moment/moment.ts";
import { useMoments } from "./moment/moment-list.tsx";
import { PastZone } from "./moment/past-zone.tsx";
import { RevertZone } from "./undo/going-back.tsx";

const route = getRouteApi("/shell/zones/$zone/history/$moment");

export function ZoneAt() {
  const { zone, moment } = route.useParams();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const { readOnly } = useViewer();
  const moments = useMoments({ zone });
  const [wanted, setWanted] = useState<Author>();
  const [newest] = moments.changes;
  return (
    <>
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
                <Button icon="undo" onClick={() => setWanted(change)}>
                  Go back to this…
                </Button>
              )}
            </>
          )
        }
      />
      {wanted && <RevertZone zone={zone} moment={wanted} onClose={() => setWanted(undefined)} />}
    </>
  );
}
