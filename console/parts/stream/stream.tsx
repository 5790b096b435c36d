/** A list of what happened, newest first, by day, as far as it is read; and what it says where nothing happened. */
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../control/button.tsx";
import { Reading } from "../page/list.tsx";
import { More } from "../page/more.tsx";
import { Empty } from "../page/page.tsx";
import { dayText } from "../text/time.tsx";
import { ageWords, type Origin, sourceWords } from "./origin.tsx";
import { Rows } from "./row.tsx";

interface StreamProps<Item> {
  readonly query: UseInfiniteQueryResult;
  /** What it is a list of, in the plural. */
  readonly what: string;
  readonly items: readonly Item[];
  readonly timeOf: (item: Item) => string;
  /** Draws a row, with its key. */
  readonly row: (item: Item) => ReactNode;
  /** What is shown where there is no row. */
  readonly empty: ReactNode;
}

export function Stream<Item>({ query, what, items, timeOf, row, empty }: StreamProps<Item>) {
  const days = Map.groupBy(items, (item) => dayText(timeOf(item)));
  return (
    <>
      {(query.isPending || query.error) && <Reading query={query} />}
      {[...days].map(([day, ofDay]) => (
        <Rows key={day} title={day}>
          {ofDay.map(row)}
        </Rows>
      ))}
      {query.data !== undefined && !query.hasNextPage && items.length === 0 && empty}
      <More query={query} what={what} />
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
