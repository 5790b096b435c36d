/**
 * A row of what happened: when, a shape for an exception, a title, counts, and who; a second line only for a cause. It leads somewhere, or
 * unfolds. Rows are below each other by day, and arrow keys go along them.
 */
import { Link, type LinkProps } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";
import { useViewer } from "../../api/viewer.ts";
import { initialsOf, keyName } from "../text/author.ts";
import { dayText, Minute } from "../text/time.tsx";
import { type Shaped, StateShape } from "../zone/state.tsx";
import css from "./row.module.css";

/** Who did something. */
export interface Doer {
  /** As the service names keys, as `laptop (a0d623c6)`, or `system`; null is nobody that is known. */
  readonly actor: string | null | undefined;
  /** Whether it came through the console: a person, not a program. */
  readonly isPerson: boolean;
  /** Added on hover. */
  readonly title?: string;
}

interface RowProps {
  readonly time: string;
  readonly shape?: Shaped | undefined;
  /** Whether the shape asks the viewer for something. */
  readonly isMine?: boolean;
  readonly title: ReactNode;
  /** What it is of, such as a zone; it is faint. */
  readonly of?: ReactNode;
  /** What is before who did it. */
  readonly aside?: ReactNode;
  readonly by: Doer;
  readonly why?: ReactNode;
  readonly to?: LinkProps | undefined;
  /** What chooses the row. */
  readonly choice?: ReactNode;
  readonly isChosen?: boolean;
  /** What can be done with it, at its end. */
  readonly actions?: ReactNode;
  /** What it unfolds to. */
  readonly children?: ReactNode;
}

export function Row({ to, choice, isChosen, actions, children, ...line }: RowProps) {
  const shown = <Line {...line} title={to ? <Link {...to}>{line.title}</Link> : line.title} />;
  return (
    <li className={isChosen ? css.chosen : undefined}>
      {choice}
      {children ? (
        <details>
          <summary className={css.row}>{shown}</summary>
          <div className={css.body}>{children}</div>
        </details>
      ) : (
        <div className={css.row}>{shown}</div>
      )}
      {actions}
    </li>
  );
}

function Line({ time, shape, isMine = false, title, of, aside, by, why }: Omit<RowProps, "to" | "children">) {
  return (
    <>
      <Minute time={time} />
      <span className={`${css.shape} ${isMine ? css.mine : shape ? css[shape] : ""}`}>
        {shape && <StateShape state={shape} />}
      </span>
      <span className={css.title}>
        {title} {of && <span className={css.of}>{of}</span>}
      </span>
      <span className={css.aside}>{aside}</span>
      <Who {...by} />
      {why && <span className={css.why}>{why}</span>}
    </>
  );
}

function Who({ actor, isPerson, title }: Doer) {
  const { key } = useViewer();
  const isViewer = key !== null && actor === `${key.name} (${key.fingerprint.slice(0, 8)})`;
  const name = actor === "system" ? "Zonesmith" : keyName(actor ?? "nobody");
  return (
    <span className={css.who} title={title ?? actor ?? undefined}>
      <span aria-hidden="true" className={isPerson ? `${css.avatar} ${css.person}` : css.avatar}>
        <span data-initials={initialsOf(name).toUpperCase()} />
      </span>
      <span>{isViewer ? "you" : name}</span>
    </span>
  );
}

interface CountsProps {
  readonly added: number | null | undefined;
  readonly removed: number | null | undefined;
}

/** How many records were added and removed; nothing where none was. */
export function Counts({ added, removed }: CountsProps) {
  return (
    <span className={css.counts}>
      {added ? <b className={css.added}>+{added.toLocaleString()}</b> : null}{" "}
      {removed ? <b className={css.removed}>−{removed.toLocaleString()}</b> : null}
    </span>
  );
}

/** Rows below each other; `title` names them. */
export function Rows({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={css.rows} aria-label={title}>
      <h2>{title}</h2>
      <ul onKeyDown={moveAlong}>{children}</ul>
    </section>
  );
}

interface DaysProps<Item> {
  /** The newest first. */
  readonly items: readonly Item[];
  readonly timeOf: (item: Item) => string;
  /** Draws a row, with its key. */
  readonly row: (item: Item) => ReactNode;
}

/** Rows by the day of each. */
export function Days<Item>({ items, timeOf, row }: DaysProps<Item>) {
  return [...Map.groupBy(items, (item) => dayText(timeOf(item)))].map(([day, ofDay]) => (
    <Rows key={day} title={day}>
      {ofDay.map(row)}
    </Rows>
  ));
}

/** Arrow keys go from row to row, also from one day to the next. */
function moveAlong(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const own = (event.target as Element).closest("li");
  if (step === 0 || !own || (event.target as Element).closest(`.${css.body}, input`)) return;
  const rows = [...document.querySelectorAll<HTMLElement>(`.${css.rows} li`)];
  const next = rows[rows.indexOf(own) + step]?.querySelector<HTMLElement>("summary, a");
  if (!next) return;
  next.focus();
  event.preventDefault();
}
