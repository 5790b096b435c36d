/**
 * The changes of a zone as a list: when, by whom and how, what they did, and how far they are published.
 */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { PublicationState } from "../api/generated/graphql.ts";
import { Named } from "../parts/page/named.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { authorName, fullAuthor, throughText } from "../parts/text/author.ts";
import { Ago } from "../parts/text/time.tsx";
import { DeletionState, State } from "../parts/zone/state.tsx";
import css from "./history.module.css";
import type { ListedChange } from "./queries.ts";

/** The two moments that are to be compared, and what chooses them. */
export interface Compared {
  /** A serial, or a time. */
  readonly from: string | undefined;
  readonly to: number;
  readonly onPick: (picked: { readonly from: string } | { readonly to: number }) => void;
}

interface ChangesTableProps {
  readonly changes: readonly ListedChange[];
  /** Which two moments are compared. */
  readonly compared: Compared;
  readonly onActor: (actor: string) => void;
  /** What is below the rows. */
  readonly foot: ReactNode;
}

export function ChangesTable({ changes, compared, onActor, foot }: ChangesTableProps) {
  return (
    <Table label="Changes" headings={["Serial", "When", "By", "What", "State", "From, with"]} hasActions foot={foot}>
      {changes.map((change) => (
        <tr key={change.id}>
          <td className={table.mono}>
            <Link to="/changes/$change" params={{ change: change.id }}>
              {change.serial}
            </Link>
          </td>
          <td className={table.nowrap}>
            <Ago time={change.createdAt} />
          </td>
          <td className={table.nowrap}>
            <button
              type="button"
              className={css.actor}
              title={`Only changes of ${fullAuthor(change)}`}
              onClick={() => onActor(change.actor)}
            >
              {authorName(change)}
            </button>{" "}
            <span className={table.soft}>{throughText(change)}</span>
          </td>
          <td>
            <span className={css.what}>
              <Named text={change.summary ?? ""} />
            </span>
            {change.note && !isOfReturn(change) && <span className={css.note}>{change.note}</span>}
            <Return change={change} />
          </td>
          <td>
            <ChangeState change={change} />
          </td>
          <CompareCells change={change} compared={compared} />
        </tr>
      ))}
    </Table>
  );
}

/** Whether a change left the zone that there is now at a moment; the name may have had another zone before, which was deleted. */
const isMoment = ({ kind, domain }: ListedChange) => kind !== "DELETE" && domain !== null;

interface CompareCellsProps {
  readonly change: ListedChange;
  readonly compared: Compared;
}

/** Chooses the moment that a change left as one of the two that are compared, and leads to it. */
function CompareCells({ change, compared: { from, to, onPick } }: CompareCellsProps) {
  if (!isMoment(change))
    return (
      <>
        <td />
        <td className={table.end} />
      </>
    );
  const { serial, zone } = change;
  return (
    <>
      <td className={css.compare} data-label="compare">
        <input
          type="radio"
          name="from"
          aria-label={`Compare from ${serial}`}
          title={`Compare from ${serial}`}
          checked={from === String(serial)}
          disabled={to === serial}
          onChange={() => onPick({ from: String(serial) })}
        />
        <input
          type="radio"
          name="to"
          aria-label={`Compare with ${serial}`}
          title={`Compare with ${serial}`}
          checked={to === serial}
          disabled={from === String(serial)}
          onChange={() => onPick({ to: serial })}
        />
      </td>
      <td className={table.end}>
        <Link
          to="/zones/$zone/history/$moment"
          params={{ zone, moment: String(serial) }}
          className={css.then}
          aria-label={`View zone, as of ${serial}`}
        >
          View zone
        </Link>
      </td>
    </>
  );
}

/** Whether a note says no more than to which change it goes back. */
export const isOfReturn = ({ note, undoes }: Pick<ListedChange, "note" | "undoes">) =>
  undoes !== null && note === `undo of ${undoes.serial}`;

/** To which change a change goes back. */
export function Return({
  change: { undoes, returnsTo },
}: {
  readonly change: Pick<ListedChange, "undoes" | "returnsTo">;
}) {
  const other = undoes ?? returnsTo;
  if (!other) return null;
  return (
    <span className={css.note}>
      {undoes ? "undoes" : "returns to"}{" "}
      <Link to="/changes/$change" params={{ change: other.id }}>
        {other.serial}
      </Link>
    </span>
  );
}

interface Published extends Pick<ListedChange, "kind"> {
  readonly publication: { readonly state: PublicationState } | null;
  readonly domain: unknown;
}

/** How far a change is published. */
export function ChangeState({ change }: { readonly change: Published }) {
  if (!change.publication) return null;
  const { state } = change.publication;
  return change.kind === "DELETE" ? (
    <DeletionState state={state} isBack={change.domain !== null} />
  ) : (
    <State state={state} />
  );
}
