/**
 * The changes of one zone, below its line of time: boxes choose those that are undone, and the two that are compared.
 */
import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { nodesOf } from "../api/pages.ts";
import { useRecordTypes } from "../api/use-record-types.ts";
import { useViewer } from "../api/viewer.ts";
import { zoneOptions } from "../api/zone.ts";
import { Button, type ButtonKind, buttonClass } from "../parts/control/button.tsx";
import { useEscape } from "../parts/control/hooks.ts";
import look from "../parts/look.module.css";
import { ChoiceMenu, TextMenu } from "../parts/page/filter-menu.tsx";
import { Bar } from "../parts/page/page.tsx";
import { ChangeRow, type StreamedChange } from "../parts/stream/change-row.tsx";
import { OriginMenus, timeAgo } from "../parts/stream/origin.tsx";
import { Nothing, Stream } from "../parts/stream/stream.tsx";
import { dayText } from "../parts/text/time.tsx";
import { Comparison } from "./comparison.tsx";
import { LineOfTime } from "./moment/line-of-time.tsx";
import { useMoments } from "./moment/queries.ts";
import { historyOptions } from "./queries.ts";
import { useUndo } from "./undo.tsx";

const route = getRouteApi("/shell/zones/$zone/history");

export function ZoneHistory() {
  const { zone } = route.useParams();
  const search = route.useSearch();
  const { name, type, time, from, to } = search;
  const navigate = route.useNavigate();
  const { serial } = useSuspenseQuery(zoneOptions(zone)).data;
  const moments = useMoments({ zone });
  const { types } = useRecordTypes();
  const query = useInfiniteQuery({ ...historyOptions(zone, search), placeholderData: keepPreviousData });
  const changes = nodesOf(query);
  const [all, setChosen] = useState<readonly StreamedChange[]>([]);
  // The page stays where another zone takes its place.
  const chosen = all.filter((change) => change.zone === zone);
  const choose = (changed: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  const row = (change: StreamedChange) => {
    const others = chosen.filter(({ id }) => id !== change.id);
    // Of a zone of the same name that was deleted, there is no moment here.
    const isMoment = change.kind !== "DELETE" && change.domain !== null;
    return (
      <ChangeRow
        key={change.id}
        change={change}
        isOfZone
        choice={
          <label>
            <input
              type="checkbox"
              aria-label={`Choose ${change.serial}`}
              checked={others.length < chosen.length}
              disabled={!isMoment}
              onChange={({ target }) => setChosen(target.checked ? [...chosen, change] : others)}
            />
          </label>
        }
        actions={isMoment && <ViewZone change={change} kind="quiet" />}
      />
    );
  };
  return (
    <div className={look.stack}>
      <section className={look.card} aria-label="Moments">
        <LineOfTime
          moments={moments}
          at={0}
          onMoment={(moment) => void navigate({ to: "/zones/$zone/history/$moment", params: { zone, moment } })}
        />
      </section>
      {from !== undefined && to !== undefined && (
        <Comparison zone={zone} from={from} to={to} onClose={() => choose({ from: undefined, to: undefined })} />
      )}
      <Bar>
        <TextMenu
          label="Name"
          any="Any name"
          hint="Name, such as www"
          value={name}
          likely={[]}
          isFirst
          onChange={(chosen) => choose({ name: chosen })}
        />
        <ChoiceMenu
          label="Type"
          any="Any type"
          value={type}
          options={[...new Set([...(type ? [type] : []), ...types.map((each) => each.type)])].map((each) => [
            each,
            each,
          ])}
          onChange={(chosen) => choose({ type: chosen })}
        />
        <OriginMenus origin={search} doers={changes.map(({ actor }) => actor)} onChange={choose} />
        {time && from === undefined && (
          <Button onClick={() => choose({ from: timeAgo(time), to: serial })}>What differs since then</Button>
        )}
      </Bar>
      <Stream
        query={query}
        what="changes"
        items={changes}
        titleOf={({ createdAt }) => dayText(createdAt)}
        row={row}
        empty={
          <Nothing
            where={[name && `at ${name}`, type && `of type ${type}`]}
            origin={search}
            onClear={() => void navigate({ search: { from, to }, replace: true })}
          />
        }
      />
      {chosen.length > 0 && (
        <ChosenBar
          // What was refused of some is not of others.
          key={chosen.map(({ id }) => id).join()}
          chosen={chosen.toSorted((a, b) => Number(a.id) - Number(b.id))}
          onCompare={(older, newer) => {
            setChosen([]);
            choose({ from: String(older.serial), to: newer.serial });
          }}
          onClear={() => setChosen([])}
        />
      )}
    </div>
  );
}

/** Leads to the zone as a change left it. */
const ViewZone = ({
  change: { zone, serial },
  kind,
}: {
  readonly change: StreamedChange;
  readonly kind: ButtonKind;
}) => (
  <Link
    to="/zones/$zone/history/$moment"
    params={{ zone, moment: String(serial) }}
    className={buttonClass(kind)}
    aria-label={`View zone, as of ${serial}`}
  >
    View zone
  </Link>
);

interface ChosenBarProps {
  /** The oldest first. */
  readonly chosen: readonly StreamedChange[];
  readonly onCompare: (older: StreamedChange, newer: StreamedChange) => void;
  readonly onClear: () => void;
}

/** What is chosen, and what can be done with it. */
function ChosenBar({ chosen, onCompare, onClear }: ChosenBarProps) {
  const { readOnly } = useViewer();
  const [older, newer] = [chosen[0] as StreamedChange, chosen.at(-1) as StreamedChange];
  const isOne = chosen.length === 1;
  const mayUndo = !readOnly && chosen.every(({ kind }) => kind === "EDIT");
  const changeIds = chosen.map(({ id }) => id);
  const { button, question } = useUndo({
    title: isOne ? (older.note ?? older.summary ?? "") : `${chosen.length} changes of ${older.zone}`,
    draft: isOne ? { zone: older.zone, undo: older.id } : undefined,
    changeIds,
    words: isOne ? "Undo…" : chosen.length === 2 ? "Undo both…" : `Undo ${chosen.length} changes…`,
  });
  useEscape(true, onClear);
  return (
    <section className={look.bottom} aria-label="Chosen changes">
      {question}
      <div className={look.line}>
        <b role="status">{chosen.length} chosen</b>
        <code className={`${look.soft} ${look.grow} ${look.unlessPhone}`}>
          {isOne ? older.serial : `${older.serial} … ${newer.serial}`}
        </code>
        <Button kind="quiet" hint="Esc" onClick={onClear}>
          Clear
        </Button>
        {isOne && <ViewZone change={older} kind="plain" />}
        {mayUndo && button}
        {chosen.length === 2 && (
          <Button kind="primary" onClick={() => onCompare(older, newer)}>
            Compare
          </Button>
        )}
      </div>
    </section>
  );
}
