/**
 * A table of a page, in its box: the headings of its columns, and its rows as they are given.
 */
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import look from "../look.module.css";
import css from "./table.module.css";

interface TableProps {
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

/** A column of a table: its heading, and what is below it. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Where a name leads to. */
  readonly link?: (row: Row) => LinkProps;
  readonly className?: string | undefined;
  /** Whether it is one line, and shows whole on hover where it does not fit. */
  readonly isCut?: boolean;
  /** What a phone, which shows no headings, says before it. */
  readonly label?: string;
}

export interface RowsProps<Row> extends Omit<TableProps, "headings" | "hasActions" | "children"> {
  /** The columns; one that is not there is false. */
  readonly columns: readonly (Column<Row> | false)[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly rowClass?: (row: Row) => string;
  /** What can be done with a row. */
  readonly actions?: ((row: Row) => ReactNode) | undefined;
  readonly actionsClass?: string;
}

/** A table by its columns. */
export function RowTable<Row>({ columns, rows, keyOf, rowClass, actions, actionsClass, ...table }: RowsProps<Row>) {
  const shown = columns.filter((column) => column !== false);
  return (
    <Table {...table} headings={shown.map(({ heading }) => heading)} hasActions={actions !== undefined}>
      {rows.map((row) => (
        <tr key={keyOf(row)} className={rowClass?.(row)}>
          {shown.map((column) => (
            <Cell key={column.heading} column={column} row={row} />
          ))}
          {actions && <td className={`${css.end} ${actionsClass ?? ""}`}>{actions(row)}</td>}
        </tr>
      ))}
    </Table>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { heading, cell, link, className = link ? css.name : "", isCut = false, label } = column;
  const content = cell(row);
  return (
    <td
      className={`${className} ${heading.startsWith("#") ? css.number : ""} ${isCut ? `${look.cut} ${css.line}` : ""}`}
      title={isCut && typeof content === "string" ? content : undefined}
      data-label={label}
    >
      {link ? <Link {...link(row)}>{content}</Link> : content}
    </td>
  );
}
