/**
 * The line of time of a zone: a tick for each change, taller for a large one, and the moment that is shown. It is a slider; keys step by
 * changes and days.
 */
import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../../parts/control/button.tsx";
import { isTyped } from "../../parts/control/field.tsx";
import { useDebounced } from "../../parts/control/hooks.ts";
import look from "../../parts/look.module.css";
import { personName } from "../../parts/text/author.ts";
import { dateText, momentText, zoneName } from "../../parts/text/time.tsx";
import css from "./moment.module.css";
import { placeAfter } from "./moment.ts";
import type { MomentChange, Moments } from "./queries.ts";

interface LineOfTimeProps {
  readonly moments: Moments;
  /** The index of the change that is shown; undefined while it is not known. It may be among those that are not read yet. */
  readonly at: number | undefined;
  /** Shows the zone as a change left it, or at a time. */
  readonly onMoment: (moment: string) => void;
  /** Whether the keys work everywhere on the page, and are said with a field for a time. */
  readonly steps?: boolean;
}

/** Changes that are read of themselves; older ones are read when they are stepped to. */
const maxRead = 2000;
/** The parts into which the line is divided. */
const parts = 1000;
/** A change of so many records is a taller tick. */
const large = 50;

export function LineOfTime({ moments, at, onMoment, steps = false }: LineOfTimeProps) {
  const { changes, hasNextPage, isFetchingNextPage, fetchNextPage } = moments;
  const last = changes.length - 1;
  const [dragged, setDragged] = useState<number>();
  const settled = useDebounced(dragged);
  const shown = dragged ?? at;
  const go = (place: number | undefined) => {
    const change = changes[Math.max(0, Math.min(place ?? -1, last))];
    if (change && place !== undefined && place !== shown) onMoment(String(change.serial));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the slider rests
  useEffect(() => {
    if (settled === undefined || settled !== dragged) return;
    setDragged(undefined);
    if (settled !== at) onMoment(String(changes[settled]?.serial));
  }, [settled]);
  const wantsMore =
    hasNextPage && !isFetchingNextPage && (changes.length < maxRead || (at !== undefined && at >= last));
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);

  const times = changes.map(({ createdAt }) => Date.parse(createdAt));
  const [newest = 0, oldest = 0] = [times[0], times.at(-1)];
  const positionOf = (place: number | undefined) => {
    const time = place === undefined ? newest : (times[Math.min(place, last)] ?? newest);
    return newest === oldest ? parts : Math.round((parts * (time - oldest)) / (newest - oldest));
  };
  const nearest = (position: number) =>
    times.reduce((best, _, place) => {
      const farOf = (of: number) => Math.abs(positionOf(of) - position);
      return farOf(place) < farOf(best) ? place : best;
    }, 0);

  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = placeAfter(event.key, event.shiftKey, times, shown);
    if (place === undefined) return;
    event.preventDefault();
    setDragged(undefined);
    go(place);
  };
  useEffect(() => {
    if (!steps) return;
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere = isTyped(event.target) || document.querySelector("dialog[open], :popover-open");
      if (!event.defaultPrevented && !isElsewhere) pressed(event);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });

  if (last < 0) return null;
  const change = shown === undefined ? undefined : changes[shown];
  const position = positionOf(shown);
  const first = changes[last] as MomentChange;
  const isBegin = !hasNextPage && first.kind === "CREATE";
  /** The ticks of the changes until one, and of those before it. */
  const ticks = (from: number, to: number) =>
    changes
      .slice(from, to)
      .map(({ addedCount, removedCount }, place) => {
        const isLarge = (addedCount ?? 0) + (removedCount ?? 0) >= large;
        return `M${positionOf(from + place)} ${isLarge ? "1v18" : "5v10"}`;
      })
      .join("");
  return (
    <>
      <div className={css.line}>
        <svg aria-hidden="true" viewBox={`0 0 ${parts} 20`} preserveAspectRatio="none">
          <path className={css.rest} d={`M0 10H${parts}`} />
          <path d={`M0 10H${position}`} />
          <path className={`${css.tick} ${css.rest}`} d={ticks(0, shown ?? 0)} />
          <path className={css.tick} d={ticks(shown ?? 0, changes.length)} />
        </svg>
        <input
          type="range"
          min={0}
          max={parts}
          value={position}
          disabled={shown === undefined}
          aria-label="Moment, from the oldest to the newest"
          aria-valuetext={change && `${change.serial}, ${momentText(change.createdAt)}, ${personName(change)}`}
          onKeyDown={({ nativeEvent }) => pressed(nativeEvent)}
          onChange={(event) => setDragged(nearest(Number(event.target.value)))}
        />
        <p className={`${look.faint} ${look.small} ${look.nowrap}`}>
          <span>
            {isBegin ? `${dateText(first.createdAt)}, created` : `The journal begins on ${dateText(first.createdAt)}`}
          </span>
          <span className={look.cut}>{wordsOf(change, shown === 0 && !steps, dragged !== undefined)}</span>
        </p>
      </div>
      {steps && (
        <div className={`${look.line} ${look.faint} ${look.small} ${css.steps}`}>
          <button
            type="button"
            className={look.bare}
            aria-label="Older"
            aria-disabled={(shown ?? last) >= last}
            onClick={() => go((shown ?? 0) + 1)}
          >
            <kbd>←</kbd>
          </button>
          <button
            type="button"
            className={look.bare}
            aria-label="Newer"
            aria-disabled={!shown}
            onClick={() => go((shown ?? 1) - 1)}
          >
            <kbd>→</kbd>
          </button>
          <span className={look.unlessPhone}>
            one change · <kbd>Shift</kbd> a day ·
          </span>
          <ToTime key={change?.id} time={change?.createdAt} onMoment={onMoment} />
        </div>
      )}
    </>
  );
}

/** What the moment is, at the end of the line. */
function wordsOf(change: MomentChange | undefined, isNow: boolean, isDragged: boolean): string {
  if (isNow || !change) return isNow ? "now" : "";
  const time = isDragged ? `${momentText(change.createdAt)} · ` : "";
  return `${time}${change.note ?? change.summary ?? ""} · ${personName(change)}`;
}

/** A time as the field writes it: local, to the second. */
const localText = (time: Date) =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);

function ToTime({ time, onMoment }: Pick<LineOfTimeProps, "onMoment"> & { readonly time: string | undefined }) {
  const before = time === undefined ? "" : localText(new Date(time));
  const [text, setText] = useState(before);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== "") onMoment(new Date(text).toISOString());
  };
  return (
    <form className={look.line} onSubmit={submit}>
      <label title={`Local time, ${zoneName}`}>
        or a time:{" "}
        <input
          type="datetime-local"
          required
          step={1}
          max={localText(new Date())}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {text !== before && <Button type="submit">Go</Button>}
    </form>
  );
}
