/**
 * The JSON text of lists and domains, made in pieces while it is sent, so that lists of any size fit into memory.
 * Limitation: a list is not one snapshot; rows that change meanwhile may or may not be in it.
 */
import { partInTurn } from "../turns/queues.ts";
import { type DomainData, domainOpening, innerRecord, type PageData, type RecordData } from "./bodies.ts";
import type { BodyForm } from "./body-form.ts";
import type { ListRoute } from "./route-form.ts";

/** A page of a list: the text of its rows, or domains, whose records are read while they are written. */
export interface ListPage {
  /** The rows, separated by commas; undefined for a page of domains. */
  readonly text: string | undefined;
  readonly domains: DomainData[];
  /** The number of rows. For rows that came as text it is only 1 or 0: whether there are any. */
  readonly count: number;
  readonly pageInfo: PageData<unknown>["pageInfo"];
  readonly totalCount?: number | undefined;
}

/** The page in the data of an operation; `view` makes the body of a row, and is left out for domains. */
export function pageOfData<Row>(
  { nodes, pageInfo, totalCount }: PageData<Row>,
  view: ((row: Row) => unknown) | undefined,
): ListPage {
  const count = nodes.length;
  if (view) return { text: rowsText(nodes, view), domains: [], count, pageInfo, totalCount };
  return { text: undefined, domains: nodes as never, count, pageInfo, totalCount };
}

/** The text of rows, which are removed from their array: they need more memory than text that waits for a client. */
export const rowsText = <Row>(rows: Row[], view: (row: Row) => unknown) =>
  rows
    .splice(0)
    .map((row) => JSON.stringify(view(row)))
    .join(",");

const afterRows = '],"pageInfo":';
/** The text before and after the records of a domain. It cannot occur inside a JSON string, since its quotes would be escaped there. */
const beforeRecords = '"records":{"nodes":[';
const afterAllRecords = /\],"pageInfo":\{"hasNextPage":false,"endCursor":(?:null|"[\w-]*")\}\}/g;

/** The page in the text of a GraphQL answer with rows in the form of REST. The list has no other fields. */
export function pageOfText(answer: string, list: string): ListPage {
  const start = `{"data":{"${list}":{"nodes":[`.length;
  const end = answer.lastIndexOf(afterRows);
  const page = JSON.parse(`{${answer.slice(end + 2, -3)}`) as Pick<ListPage, "pageInfo" | "totalCount">;
  const rows = answer.slice(start, end);
  const text = rows.replaceAll(beforeRecords, '"records":[').replace(afterAllRecords, "]");
  // A domain has more records than its page.
  if (text.includes(afterRows)) return { text: undefined, domains: JSON.parse(`[${rows}]`), count: 1, ...page };
  return { text, domains: [], count: text === "" ? 0 : 1, ...page };
}

/** Reads the further records of a domain (moreRecordsQuery). */
export type More = (variables: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Reads a page of `first` rows after a cursor; without one, from the start. */
export type ReadPage = (first: number, after: string | null | undefined) => Promise<ListPage>;

/** The intended length of a page's text, characters. About this much text is in memory while the client reads. */
const pageLength = 64 * 1024;

export class ListText {
  readonly #route: ListRoute;
  readonly #more: More;
  readonly #form: BodyForm;

  constructor(route: ListRoute, more: More, form: BodyForm) {
    this.#route = route;
    this.#more = more;
    this.#form = form;
  }

  async *ofPage(page: ListPage): AsyncGenerator<string> {
    yield `${this.#form.opening}[`;
    yield* this.#rows(page);
    yield `]${this.#form.closing(page.count)}\n`;
  }

  /** The text of `page`, of `first` rows, and of the pages that `read` returns. Pages of text are read ahead. */
  async *ofAll(page: ListPage, first: number, read: ReadPage): AsyncGenerator<string> {
    let [rows, { count }] = [first, page];
    let separator = `${this.#form.opening}[`;
    const next = ({ pageInfo: { endCursor } }: ListPage, length: number) => {
      rows = Math.max(1, Math.min(this.#route.pageSize, Math.ceil((rows * pageLength) / Math.max(length, 1))));
      const reading = partInTurn(() => read(rows, endCursor));
      // A failure is reported when this page is next, which may never happen; the handler here only prevents an unhandled rejection.
      reading.catch(() => {});
      return reading;
    };
    for (let current = page; ; ) {
      const { text, pageInfo } = current;
      const ahead = text !== undefined && pageInfo.hasNextPage ? next(current, text.length) : undefined;
      let length = 0;
      for await (const piece of this.#rows(current)) {
        length += piece.length;
        yield separator + piece;
        separator = "";
      }
      if (!pageInfo.hasNextPage) break;
      current = await (ahead ?? next(current, length));
      count += current.count;
      if (current.count > 0) separator += ",";
    }
    yield `${separator}]${this.#form.closing(count)}\n`;
  }

  async *#rows({ text, domains }: ListPage): AsyncGenerator<string> {
    if (text) yield text;
    for (let separator = ""; domains.length > 0; separator = ",") {
      if (separator) yield separator;
      yield* domainText(domains.shift() as DomainData, this.#more);
    }
  }
}

async function* domainText(domain: DomainData, more: More): AsyncGenerator<string> {
  let { records } = domain;
  let text = `${domainOpening(domain)}${recordsText(records)}`;
  while (records.pageInfo.hasNextPage) {
    yield text;
    const { endCursor } = records.pageInfo;
    const data = await partInTurn(() => more({ id: String(domain.zone_id), after: endCursor }));
    records = (data.domain as Pick<DomainData, "records">).records;
    text = records.nodes.length > 0 ? `,${recordsText(records)}` : "";
  }
  yield `${text}]}`;
}

const recordsText = ({ nodes }: PageData<RecordData>) => rowsText(nodes, innerRecord.view);

export async function* wholeDomainText(domain: DomainData, more: More, form: BodyForm): AsyncGenerator<string> {
  yield form.opening;
  yield* domainText(domain, more);
  yield form.closing(1);
}

/** The text of a domain at once; undefined when its first page does not have all of its records. */
export function shortDomainText(domain: DomainData, form: BodyForm): string | undefined {
  const { records } = domain;
  if (records.pageInfo.hasNextPage) return undefined;
  return `${form.opening}${domainOpening(domain)}${recordsText(records)}]}${form.closing(1)}`;
}
