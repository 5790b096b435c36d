/**
 * What is read from the service, and in its place how far that is: whole things, and lists that come by pages.
 */
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { nodesOf } from "../../api/pages.ts";
import { Dialog } from "../control/dialog.tsx";
import { More } from "./more.tsx";
import { Loading, Page } from "./page.tsx";
import { Refusal } from "./refusal.tsx";
import { type RowsProps, RowTable } from "./table.tsx";

interface ReadingProps {
  /** The query; without its `refetch` there is no button to try again. */
  readonly query: { readonly error: Error | null; readonly refetch?: () => unknown };
}

/** In place of what is not read: why it cannot be read, or that it is being read. */
export function Reading({ query: { error, refetch } }: ReadingProps) {
  return error ? <Refusal error={error} onRetry={refetch && (() => void refetch())} /> : <Loading />;
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
  /** What is shown where there is no row. */
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
