/**
 * Steps through the moments of a zone: by a slider, by buttons and their keys, or to a time.
 */
import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../../parts/control/button.tsx";
import { isTyped } from "../../parts/control/typed.ts";
import { useDebounced } from "../../parts/control/use-debounced.ts";
import { authorName } from "../../parts/text/author.ts";
import { exactText, zoneName } from "../../parts/text/time.tsx";
import css from "./moment.module.css";
import type { Author } from "./moment.ts";

interface StepperProps {
  /** The changes that left the zone at a moment, the newest first. */
  readonly changes: readonly Author[];
  /** The index of the change that is shown; undefined while it is not known. */
  readonly at: number | undefined;
  /** The index under the slider while it is dragged. */
  readonly dragged: number | undefined;
  readonly onDrag: (place: number | undefined) => void;
  /** Shows the zone as a change left it, or at a time. */
  readonly onMoment: (moment: string) => void;
}

export function Stepper({ changes, at, dragged, onDrag, onMoment }: StepperProps) {
  const settled = useDebounced(dragged);
  const shown = dragged ?? at;
  const go = (place: number | undefined) => {
    const change = place === undefined ? undefined : changes[place];
    if (change) onMoment(String(change.serial));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the slider rests
  useEffect(() => {
    if (settled === undefined || settled !== dragged) return;
    onDrag(undefined);
    go(settled);
  }, [settled]);
  const step = (places: number) => go(shown === undefined ? undefined : shown + places);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const places = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
      if (!places || event.defaultPrevented || isTyped(event.target)) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (document.querySelector("dialog[open], :popover-open")) return;
      event.preventDefault();
      step(places);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  const last = changes.length - 1;
  const change = shown === undefined ? undefined : changes[shown];
  return (
    <div className={css.stepper}>
      <Button hint="←" aria-disabled={shown === undefined || shown >= last} onClick={() => step(1)}>
        Older
      </Button>
      <input
        type="range"
        min={0}
        max={Math.max(last, 0)}
        // A time before the zone was created is at the left end.
        value={shown === undefined ? 0 : last - shown}
        disabled={last < 1 || shown === undefined}
        aria-label="Moment, from the oldest to the newest"
        aria-valuetext={change && `${change.serial}, ${exactText(change.createdAt)}, ${authorName(change)}`}
        onChange={(event) => onDrag(last - Number(event.target.value))}
      />
      <Button hint="→" aria-disabled={shown === undefined || shown <= 0} onClick={() => step(-1)}>
        Newer
      </Button>
      <ToTime onMoment={onMoment} />
    </div>
  );
}

/** A time as the field writes it: local, to the minute. */
const localText = (time: Date) =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function ToTime({ onMoment }: Pick<StepperProps, "onMoment">) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== "") onMoment(new Date(text).toISOString());
  };
  return (
    <form className={css.toTime} onSubmit={submit}>
      <label title={`Local time, ${zoneName}`}>
        At{" "}
        <input
          type="datetime-local"
          required
          max={localText(new Date())}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit">Go</Button>
    </form>
  );
}
