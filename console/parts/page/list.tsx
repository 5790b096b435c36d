/**
 * What is read from the service, and in its place how far that is: whole things, and lists that come by pages, as tables.
 */
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { nodesOf } from "../../api/pages.ts";
import { Button } from "../control/button.tsx";
import { Dialog } from "../control/dialog.tsx";
import look from "../look.module.css";
import { Loading, Page, Refusal } from "./page.tsx";
import css from "./table.module.css";

interface ReadingProps {
  /** The query; without its `refetch` there is no button to try again. */
  readonly query: { readonly error: Error | null; readonly refetch?: () => unknown };
  readonly what?: string | undefined;
}

/** In place of what is not read: why it cannot be read, or that it is being read. */
export function Reading({ query: { error, refetch }, what }: ReadingProps) {
  return error ? <Refusal error={error} onRetry={refetch && (() => void refetch())} /> : <Loading what={what} />;
}

interface ReadProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: Error | null; readonly refetch: () => unknown };
  readonly title: string;
  /** Closes the dialog that it is; without it, it is a page. */
  readonly onClose?: () => void;
  readonly children: (data: NonNullable<Data>) => ReactNode;
}

/** A page or a dialog of something that is read first. */
export function Read<Data>({ query, title, onClose, children }: ReadProps<Data>) {
  if (query.data) return children(query.data);
  if (!onClose)
    return (
      <Page title={title}>
        <Reading query={query} />
      </Page>
    );
  return (
    <Dialog title={title} onClose={onClose}>
      <Reading query={query} />
    </Dialog>
  );
}

interface ListedProps<Row> {
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly nodes: readonly Row[] } | null | undefined>>;
  readonly empty: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** The rows of a list as far as they are read. */
export function Listed<Row>({ query, empty, children }: ListedProps<Row>) {
  const rows = nodesOf(query);
  return (
    <>
      {(query.isPending || query.error) && <Reading query={query} />}
      {query.data && rows.length === 0 && !query.error && empty}
      {rows.length > 0 && children(rows)}
    </>
  );
}

export interface ListProps<Row> extends Omit<ListedProps<Row>, "children">, Omit<RowsProps<Row>, "rows" | "foot"> {
  /** What the rows are, in the plural. */
  readonly what: string;
}

/** A list as a table, with the way to more rows below it. */
export function List<Row>({ query, empty, what, ...table }: ListProps<Row>) {
  return (
    <Listed query={query} empty={empty}>
      {(rows) => <RowTable {...table} rows={rows} foot={<More query={query} what={what} />} />}
    </Listed>
  );
}

/** A column of a table: its heading, and what is below it. */
export type Column<Row> = readonly [heading: string, cell: (row: Row) => ReactNode, more?: ColumnOptions<Row>];

interface ColumnOptions<Row> {
  readonly link?: (row: Row) => LinkProps;
  readonly className?: string | undefined;
  /** Whether it is one line, and shows whole on hover where it does not fit. */
  readonly isCut?: boolean;
  /** What a phone, which shows no headings, says before it. */
  readonly label?: string;
}

export interface RowsProps<Row> {
  readonly label: string;
  /** A heading that begins with # is over numbers; a column that is not there is false. */
  readonly columns: readonly (Column<Row> | false)[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly rowClass?: (row: Row) => string;
  readonly actions?: ((row: Row) => ReactNode) | undefined;
  readonly actionsClass?: string;
  readonly foot?: ReactNode;
}

/** A table in its box, by its columns; behind them is what can be done with a row. */
export function RowTable<Row>(props: RowsProps<Row>) {
  const { label, columns, rows, keyOf, rowClass, actions, actionsClass = "", foot } = props;
  const shown = columns.filter((column) => column !== false);
  return (
    <div className={`${look.list} ${css.box}`}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            {shown.map(([heading]) => (
              <th key={heading} scope="col" className={`${look.small} ${heading.startsWith("#") ? css.number : ""}`}>
                {heading.replace(/^#/, "")}
              </th>
            ))}
            {actions && <td className={css.end} />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={rowClass?.(row)}>
              {shown.map((column) => (
                <Cell key={column[0]} column={column} row={row} />
              ))}
              {actions && <td className={`${css.end} ${actionsClass}`}>{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {foot}
    </div>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const [heading, cell, { link, className = link ? css.name : "", isCut = false, label } = {}] = column;
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

interface MoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  readonly what: string;
  readonly reading?: string | undefined;
}

/** The end of a list: scrolled into view it reads the next page, and it has a button for the same. */
export function More({ query, what, reading = "Loading…" }: MoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || !end.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && fetchNextPage(),
      {
        rootMargin: "600px",
      },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className={look.foot}>
      <Button kind="quiet" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {isFetchingNextPage ? reading : `More ${what}`}
      </Button>
    </div>
  );
}
