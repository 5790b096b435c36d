/** A list of what happened, or of what was found, below titles, as far as it is read. Arrow keys go along its rows. */
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";
import { useViewer } from "../../api/viewer.ts";
import { Button } from "../control/button.tsx";
import look from "../look.module.css";
import { More, Reading } from "../page/list.tsx";
import { Empty } from "../page/page.tsx";
import { initialsOf, keyName } from "../text/author.ts";
import { Minute } from "../text/time.tsx";
import { type Shaped, StateShape } from "../zone/state.tsx";
import { ageWords, type Origin, sourceWords } from "./origin.tsx";
import css from "./row.module.css";

interface StreamProps<Item> {
  readonly query: UseInfiniteQueryResult;
  /** What it is a list of, in the plural. */
  readonly what: string;
  readonly reading?: string;
  readonly items: readonly Item[];
  readonly titleOf: (item: Item) => string;
  /** Draws a row, with its key. */
  readonly row: (item: Item) => ReactNode;
  readonly empty: ReactNode;
}

export function Stream<Item>({ query, what, reading, items, titleOf, row, empty }: StreamProps<Item>) {
  return (
    <>
      {(query.isPending || query.error) && <Reading query={query} what={reading} />}
      {[...Map.groupBy(items, titleOf)].map(([title, below]) => (
        <Rows key={title} title={title}>
          {below.map(row)}
        </Rows>
      ))}
      {query.data !== undefined && !query.hasNextPage && items.length === 0 && empty}
      <More query={query} what={what} reading={reading} />
    </>
  );
}

interface NothingProps {
  /** What is looked for, and where, as the sentence says it. */
  readonly what?: string | undefined;
  readonly where: readonly (string | undefined)[];
  readonly origin: Origin;
  readonly onClear: () => void;
}

export function Nothing({ what, where, origin: { who, through, time }, onClear }: NothingProps) {
  const filters = [who && `of ${who}`, ...where, through && `through ${sourceWords[through]}`, time && ageWords[time]];
  const parts = [what, ...filters].filter(Boolean);
  return (
    <Empty
      title={parts.length === 0 ? "Nothing yet." : `Nothing ${parts.join(" ")}.`}
      action={filters.some(Boolean) && <Button onClick={onClear}>Clear filters</Button>}
    />
  );
}

/** The colours of the shapes that are no grey. */
export const tones: Readonly<Partial<Record<Shaped, string | undefined>>> = { LATE: look.warn, REFUSED: look.del };

/** When, a shape for an exception, a title, counts, and who; a second line only for a cause. A row leads somewhere, or unfolds. */
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
  readonly by: DoerProps;
  readonly why?: ReactNode;
  readonly to?: LinkProps | undefined;
  readonly choice?: ReactNode;
  /** What can be done with it, at its end. */
  readonly actions?: ReactNode;
  /** What it unfolds to. */
  readonly children?: ReactNode;
}

export function Row(props: RowProps) {
  const { time, shape, isMine = false, title, of, aside, by, why, to, choice, actions, children } = props;
  const line = (
    <>
      <span className={`${look.faint} ${look.small} ${look.digits}`}>
        <Minute time={time} />
      </span>
      <span className={isMine ? look.accent : ((shape && tones[shape]) ?? look.faint)}>
        {shape && <StateShape state={shape} />}
      </span>
      <span className={`${look.cut} ${css.title}`}>
        {to ? (
          <Link {...to} className={look.through}>
            {title}
          </Link>
        ) : (
          title
        )}{" "}
        {of && <span className={look.faint}>{of}</span>}
      </span>
      <span>{aside}</span>
      <Doer {...by} />
      {why && <span className={`${look.soft} ${look.small} ${css.why}`}>{why}</span>}
    </>
  );
  return (
    <li className={css.item}>
      {choice}
      {children ? (
        <details className={look.grow}>
          <summary className={css.row}>{line}</summary>
          <div className={`${look.stack} ${css.body}`}>{children}</div>
        </details>
      ) : (
        <div className={`${look.grow} ${css.row}`}>{line}</div>
      )}
      {actions && <span className={look.unlessPhone}>{actions}</span>}
    </li>
  );
}

/** Who wrote a change, where another applied it. */
export const writtenBy = (author: string, appliedBy: string | null) =>
  appliedBy && appliedBy !== author ? ` · written by ${keyName(author)}` : "";

interface DoerProps {
  /** As the service names keys, as `laptop (a0d623c6)`, or `system`; null is nobody that is known. */
  readonly actor: string | null | undefined;
  /** Whether it came through the console: a person, not a program. */
  readonly isPerson: boolean;
  /** Added on hover. */
  readonly title?: string;
}

function Doer({ actor, isPerson, title }: DoerProps) {
  const { key } = useViewer();
  const isViewer = key !== null && actor === `${key.name} (${key.fingerprint.slice(0, 8)})`;
  const name = actor === "system" ? "Zonesmith" : keyName(actor ?? "nobody");
  return (
    <span className={`${look.beside} ${look.soft} ${css.who}`} title={title ?? actor ?? undefined}>
      <span aria-hidden="true" className={`${look.avatar} ${look.unlessPhone} ${isPerson ? "" : css.program}`}>
        <span data-initials={initialsOf(name)} />
      </span>
      <span className={look.cut}>{isViewer ? "you" : name}</span>
    </span>
  );
}

/** Rows below each other; `title` names them. */
export function Rows({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={`${look.stack} ${look.close}`} aria-label={title}>
      <h2 className={`${look.small} ${look.soft} ${look.strong}`}>{title}</h2>
      <ul className={look.list} data-rows onKeyDown={onKey}>
        {children}
      </ul>
    </section>
  );
}

/** Arrow keys go from row to row, also from one day to the next; the space bar chooses one. */
function onKey(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as Element;
  const own = target.closest("li");
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (!own || target.closest(`.${css.body}`)) return;
  const box = event.key === " " && target.matches("a") && own.querySelector<HTMLElement>("input[type=checkbox]");
  const rows = [...document.querySelectorAll<HTMLElement>("[data-rows] > li")];
  const next = step !== 0 && rows[rows.indexOf(own) + step]?.querySelector<HTMLElement>("summary, a");
  if (!box && !next) return;
  if (box) box.click();
  if (next) next.focus();
  event.preventDefault();
}
