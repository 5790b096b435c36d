/** A change of several zones or people as a row: one that waits, or one that is over. */
import type { StreamedSetFragment } from "../api/generated/graphql.ts";
import { neededApprovals, openStates, stateWords } from "../changesets/queries.ts";
import look from "../parts/look.module.css";
import { Row, tones, writtenBy } from "../parts/stream/stream.tsx";
import { counted } from "../parts/text/counted.ts";
import { unicodeText } from "../parts/text/names.ts";
import { dayText, minuteText } from "../parts/text/time.tsx";

interface SetRowProps {
  readonly set: StreamedSetFragment;
  /** When it was last touched, or applied. */
  readonly time: string;
  readonly isMine?: boolean;
}

export function SetRow({ set, time, isMine = false }: SetRowProps) {
  const { id, title, state, author, appliedBy, publication } = set;
  const waits = openStates.includes(state);
  const arrival = publication?.state === "LATE" || publication?.state === "PENDING" ? publication.state : undefined;
  const shape = waits ? "REVIEW" : state === "PARTIAL" ? "LATE" : arrival;
  return (
    <Row
      time={time}
      shape={shape}
      isMine={isMine}
      title={<b>{title}</b>}
      of={zonesText(set)}
      aside={(state === "CANCELLED" || state === "EXPIRED") && <span className={look.faint}>{stateWords[state]}</span>}
      by={{ actor: appliedBy ?? author, isPerson: true }}
      why={
        waits ? (
          <>
            {isMine && <span className={look.accent}>needs your review · </span>}
            {stepText(set)}
          </>
        ) : (
          shape && (
            <>
              <span className={tones[shape]}>{state === "PARTIAL" ? "applied in part" : arrivalText(set)}</span>
              {writtenBy(author, appliedBy)}
            </>
          )
        )
      }
      to={{ to: "/changes/$change", params: { change: id } }}
    />
  );
}

function zonesText({ zones }: StreamedSetFragment): string {
  const names = zones?.nodes.map(({ zone }) => unicodeText(zone)) ?? [];
  const count = zones?.totalCount ?? names.length;
  return count > names.length ? counted(count, "zone") : names.join(", ") || "no zone yet";
}

/** What a change that waits is waiting for. */
function stepText(set: StreamedSetFragment): string {
  const { state, applyAt, approvalCount } = set;
  const needed = neededApprovals(set);
  const at = applyAt && `${dayText(applyAt) === "Today" ? "" : `on ${dayText(applyAt)} `}at ${minuteText(applyAt)}`;
  if (state === "SCHEDULED") return `applies ${at}`;
  if (state === "DRAFT") return "a draft, not in review yet";
  const approved = needed === 0 ? "needs no approval" : `${approvalCount ?? 0} of ${counted(needed, "approval")}`;
  return at
    ? `${approved} · applies ${at} once approved`
    : `${approved}${state === "APPROVED" ? " · not applied yet" : ""}`;
}

function arrivalText({ publication }: StreamedSetFragment): string {
  const { live = 0, pending = 0, late = 0 } = publication ?? {};
  const all = live + pending + late;
  if (late > 0) return all === 1 ? "late" : `late in ${late} of ${counted(all, "zone")}`;
  return all === 1 ? "on its way" : `on its way in ${pending} of ${counted(all, "zone")}`;
}
