/**
 * The changes of one zone, and the difference of two of its moments.
 */
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { zoneOptions } from "../api/zone.ts";
import { Button, IconButton } from "../parts/control/button.tsx";
import { type Age, timeAgo } from "../parts/zone/origin-filters.tsx";
import { Changes } from "./changes.tsx";
import { Comparison } from "./comparison.tsx";
import css from "./history.module.css";
import { LineOfTime } from "./moment/line-of-time.tsx";
import moment from "./moment/moment.module.css";
import { useMoments } from "./moment/queries.ts";

const route = getRouteApi("/shell/zones/$zone/history");

/** The two moments that are chosen to be compared. */
interface Pick {
  /** A serial, or a time at which the zone need not have been created. */
  readonly from?: string | undefined;
  readonly to?: number | undefined;
}

export function ZoneHistory() {
  const { zone } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: present } = useSuspenseQuery(zoneOptions(zone));
  const moments = useMoments({ zone });
  const { from, to } = search;
  const [pick, setPick] = useState<Pick>({ from, to });
  const choose = (changed: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  const last = pick.to ?? present.serial;
  const isPicked = pick.from !== undefined && !(pick.from === from && last === to);
  return (
    <>
      <section className={moment.card} aria-label="Moments">
        <LineOfTime
          moments={moments}
          at={0}
          onMoment={(serial) => void navigate({ to: "/zones/$zone/history/$moment", params: { zone, moment: serial } })}
        />
      </section>
      {from !== undefined && to !== undefined && (
        <Comparison
          zone={zone}
          from={from}
          to={to}
          onClose={() => {
            setPick({});
            choose({ from: undefined, to: undefined });
          }}
        />
      )}
      {search.since && from === undefined && (
        <p>
          <Button onClick={() => choose({ from: timeAgo(search.since as Age), to: present.serial })}>
            What differs since then
          </Button>
        </p>
      )}
      <Changes
        selection={{ ...search, owner: search.name, zone }}
        onChange={(changed) => choose({ ...changed, ...("owner" in changed && { name: changed.owner }) })}
        compared={{ from: pick.from, to: last, onPick: (picked) => setPick({ ...pick, ...picked }) }}
      />
      {isPicked && (
        <div className={css.picked} role="status">
          <span>
            {pick.from} and {last}
          </span>
          <Button kind="primary" onClick={() => choose({ from: pick.from, to: last })}>
            Compare
          </Button>
          <IconButton icon="close" label="Compare nothing" onClick={() => setPick({ from, to })} />
        </div>
      )}
    </>
  );
}
