/** A zone at a moment, read only: which moment it is, the steps to others, and its records. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Refused } from "../../api/run.ts";
import { exportUrl } from "../../api/zone.ts";
import { announce, Hidden } from "../../parts/control/announce.tsx";
import { Button, buttonClass } from "../../parts/control/button.tsx";
import look from "../../parts/look.module.css";
import { Empty, Loading, Refusal } from "../../parts/page/page.tsx";
import { counted } from "../../parts/text/counted.ts";
import { dateText, Exact, momentText } from "../../parts/text/time.tsx";
import { LineOfTime } from "./line-of-time.tsx";
import { type Author, type Past, placeOf, readMoment } from "./moment.ts";
import { type MomentSearch, PastRecords } from "./past-records.tsx";
import { comparisonOptions, momentOptions, useMoments } from "./queries.ts";

interface PastZoneProps {
  readonly past: Past;
  readonly zone: string;
  /** The moment, as the address names it. */
  readonly moment: string;
  /** The serial of the zone now; undefined for a deleted zone. */
  readonly present?: number;
  readonly search: MomentSearch;
  readonly onMoment: (moment: string) => void;
  readonly onSearch: (search: MomentSearch) => void;
  /** What can be done with the moment beside its export: of the change that made it, and whether it is the last. */
  readonly actions?: (change: Author, isLast: boolean, exported: ReactNode) => ReactNode;
}

const example = "2030-01-31T12:00:00Z";

export function PastZone(props: PastZoneProps) {
  const { past, zone, moment, present, onMoment } = props;
  const wanted = readMoment(moment);
  const moments = useMoments(past);
  const query = useQuery({
    ...momentOptions(past, moment),
    placeholderData: keepPreviousData,
    enabled: wanted !== undefined,
  });
  const { data, isPlaceholderData } = query;
  const answered = isPlaceholderData ? undefined : data;
  const change = answered?.change;
  const { data: compared } = useQuery({
    ...comparisonOptions(zone, { changeId: change?.id ?? "" }, present ?? 0),
    enabled: change !== undefined && present !== undefined,
  });
  const place = placeOf(moments.changes, change ? { changeId: change.id } : wanted);
  // One that is not read yet is beyond the others.
  const at = place ?? (change && moments.data ? moments.changes.length : undefined);
  const differing = change && compared?.isWhole ? compared.lines : undefined;

  const sentence = change && `As it was on ${momentText(change.createdAt)}, ${change.serial}`;
  useEffect(() => {
    if (sentence) announce(sentence);
  }, [sentence]);

  if (!wanted)
    return (
      <Empty title="This is no moment">{`Write a serial, the id of a change, or a time such as ${example}.`}</Empty>
    );
  const shown = change ?? moments.changes[place ?? -1];
  const time = wanted.time ?? shown?.createdAt;
  const added = differing?.filter(({ kind }) => kind === "add").length ?? 0;
  const others = (differing?.length ?? 0) - added;
  const since = [
    others > 0 && `${others.toLocaleString()} ${others === 1 ? "differs" : "differ"} from now`,
    added > 0 && `${added.toLocaleString()} ${added === 1 ? "was" : "were"} added since`,
  ];
  const exported = change && (
    <a
      href={`${exportUrl(zone)}?at=${change.id}${"deleted" in past ? `&id=${past.deleted}` : ""}`}
      download={`${zone}-${change.serial}.zone`}
      className={buttonClass()}
    >
      Export<Hidden> this moment</Hidden>
    </a>
  );
  return (
    <>
      <section className={look.card} aria-label="Moment">
        <div className={look.line}>
          <h2>
            As it was {time == null ? `at ${shown?.serial ?? wanted.serial ?? wanted.changeId}` : "on "}
            {time != null && <Exact time={time} />}
          </h2>
          {shown && <code className={look.soft}>{shown.serial}</code>}
          <p className={look.soft}>
            {[answered && counted(answered.total, "record"), since.filter(Boolean).join(", ")]
              .filter(Boolean)
              .join(" · ")}
            {at === 0 && (present === undefined ? " · so it was when it was deleted" : " · it is so now")}
          </p>
          {change && (
            <div className={`${look.line} ${look.end}`}>{props.actions?.(change, at === 0, exported) ?? exported}</div>
          )}
        </div>
        <LineOfTime moments={moments} at={at} onMoment={onMoment} steps />
      </section>
      {query.error && <NoMoment zone={zone} error={query.error} onMoment={onMoment} />}
      {query.isPending && !query.error && <Loading />}
      {data && !query.error && (
        <PastRecords
          key={zone}
          zone={zone}
          moment={data}
          differing={differing}
          isBusy={isPlaceholderData}
          search={props.search}
          onSearch={props.onSearch}
        />
      )}
    </>
  );
}

/** Why there is no such moment, and the way to the first one. */
function NoMoment({ zone, error, onMoment }: { readonly error: Error } & Pick<PastZoneProps, "zone" | "onMoment">) {
  const { firstSerial, firstTime } = (error instanceof Refused && error.body.details) || {};
  if (typeof firstSerial !== "number" || typeof firstTime !== "string") return <Refusal error={error} />;
  const isGone = error instanceof Refused && error.code === "HISTORY_GONE";
  const title = isGone
    ? `The journal begins on ${dateText(firstTime)}; earlier moments are gone.`
    : `There is no such moment: ${zone} was created on ${dateText(firstTime)}.`;
  const toFirst = <Button onClick={() => onMoment(String(firstSerial))}>To the first moment, {firstSerial}</Button>;
  return <Empty title={title} action={toFirst} />;
}
