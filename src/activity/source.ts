/** A list as a source of the activity: read from its newest row on, in batches. */
import type { Page, PageRequest } from "../lists/pagination.ts";
import type { NodeType } from "../sql/typed-ids.ts";

/** Something that happened: a row, with its time and how many it counts. Items with the same `fold` are the same again. */
export interface Item {
  readonly type: NodeType;
  readonly row: { readonly id: number };
  readonly at: Date;
  readonly count: number;
  readonly fold: string;
}

/** The most batches of a list that are read for one page. */
const mostBatches = 10;

export interface Source {
  /** The cursor of the row that was taken last; empty before the first. */
  readonly position: () => string;
  /** Reads on where needed; false when rows follow that are not read for this page. */
  readonly ready: () => Promise<boolean>;
  /** The next item; undefined after the last. */
  readonly next: () => Item | undefined;
  readonly take: () => void;
}

/**
 * Where a source begins: after the row of the cursor `from`; when that is empty, with the first row that is not newer than `begun`, the time
 * at which the first page began, ms.
 */
export interface Beginning {
  readonly from: string;
  readonly begun: number | undefined;
  readonly batch: number;
}

export function sourceOf<Row extends { readonly id: number }>(
  read: (request: PageRequest) => Promise<Page<Row>>,
  itemOf: (row: Row) => Item,
  { from, begun, batch }: Beginning,
): Source {
  let page: Page<Row> | undefined;
  let items: Item[] = [];
  let [at, batches, position] = [0, 0, from];
  const next = () => items[at];
  const take = () => {
    const row = page?.rows[at];
    if (page && row) position = page.cursor(row);
    at += 1;
  };
  const isNew = (item: Item | undefined) => from === "" && item && begun !== undefined && item.at.getTime() > begun;
  return {
    position: () => position,
    async ready() {
      for (;;) {
        while (isNew(next())) take();
        if (page && (at < items.length || !page.hasNextPage)) return true;
        if (batches === mostBatches) return false;
        [at, batches] = [0, batches + 1];
        page = await read({ first: batch, after: position === "" ? undefined : position });
        items = page.rows.map(itemOf);
      }
    },
    next,
    take,
  };
}

/** The source of a list that a filter leaves out. */
export const noSource: Source = {
  position: () => "",
  ready: async () => true,
  next: () => undefined,
  take() {},
};
