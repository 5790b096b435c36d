/**
 * A table of a page, in its box: the headings of its columns, and its rows as they are given.
 */
import type { ReactNode } from "react";
import look from "../look.module.css";
import css from "./table.module.css";

export interface TableProps {
  readonly label: string;
  /** The headings; one that begins with # is over numbers. */
  readonly headings: readonly string[];
  /** Whether a column without a heading follows, for what can be done with a row. */
  readonly hasActions?: boolean;
  /** Whether other rows are on their way. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
  /** What is below the rows, such as the way to more of them. */
  readonly foot?: ReactNode;
}

export function Table({ label, headings, hasActions = false, isBusy = false, children, foot }: TableProps) {
  return (
    <div className={`${look.list} ${css.box}`} aria-busy={isBusy || undefined}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col" className={`${look.small} ${heading.startsWith("#") ? css.number : ""}`}>
                {heading.replace(/^#/, "")}
              </th>
            ))}
            {hasActions && <td className={css.end} />}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {foot}
    </div>
  );
}
