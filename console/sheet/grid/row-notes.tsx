/** What is below a row: why it is refused, what is probably a mistake, or what somebody else made of its RRset, with the decision. */
import { Button } from "../../parts/control/button.tsx";
import look from "../../parts/look.module.css";
import type { Problem } from "../apply/sentences.ts";
import type { Conflict } from "../draft/rebase.ts";
import type { Column, StoredRow } from "../records/row.ts";
import css from "./grid.module.css";

interface Props {
  readonly id: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  readonly conflict: Conflict | undefined;
  readonly isGone: boolean;
  /** Leads to a cell of the row. */
  onShow(column: Column): void;
  onDecide(rrset: string, isMine: boolean): void;
}

/** The records of an RRset on one line, the first few of many. */
function dataOf(rows: readonly StoredRow[]): string {
  const shown = rows.slice(0, 4).map(({ rdata, ttl }) => `${rdata} · ${ttl}`);
  const more = rows.length > 4 ? [`and ${rows.length - 4} more`] : [];
  return rows.length === 0 ? "no record" : [...shown, ...more].join(",  ");
}

export function RowNotes({ id, problems, warnings, conflict, isGone, onShow, onDecide }: Props) {
  return (
    <div role="gridcell" aria-colindex={2} aria-colspan={4} className={css.notes} id={id}>
      {problems.map(({ column, message }) => (
        <button
          key={message}
          type="button"
          tabIndex={-1}
          className={`${look.bare} ${look.del} ${look.anywhere}`}
          title="To the cell"
          onClick={() => onShow(column ?? "rdata")}
        >
          <span aria-hidden="true">✕</span> {message}
        </button>
      ))}
      {warnings.map((warning) => (
        <p key={warning}>
          <span aria-hidden="true">⚠</span> {warning}
        </p>
      ))}
      {conflict && (
        <div>
          <p>
            <span aria-hidden="true">⇄</span>{" "}
            {isGone ? "This record was removed by somebody else." : `Somebody else changed ${conflict.rrset} too.`}
          </p>
          <dl className={`${look.mono} ${look.anywhere} ${css.conflict}`}>
            <dt className={look.soft}>old</dt>
            <dd>{dataOf(conflict.old)}</dd>
            <dt className={look.soft}>theirs</dt>
            <dd>{dataOf(conflict.theirs)}</dd>
          </dl>
          <p className={look.line}>
            <Button onClick={() => onDecide(conflict.rrset, true)}>{isGone ? "Add it again" : "Keep mine"}</Button>
            <Button onClick={() => onDecide(conflict.rrset, false)}>{isGone ? "Drop my edit" : "Take theirs"}</Button>
          </p>
        </div>
      )}
    </div>
  );
}
