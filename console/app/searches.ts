/**
 * The search parameters of the pages that have several: what is in an address, as far as its page knows it.
 */
import type { SheetSearch } from "../sheet/sheet-search.ts";
import { defined, moment, oneOf, serial, text } from "./search-text.ts";

const zoneStates = ["LATE", "PENDING", "UNSERVED", "LIVE"] as const;
const zoneSorts = ["ZONE", "ZONE_DESC", "CREATED", "CREATED_DESC"] as const;
const sources = ["CONSOLE", "GRAPHQL", "REST", "UPDATE", "IMPORT", "SYSTEM"] as const;

const setChoices = ["MINE", "AWAITING_ME", "IN_REVIEW", "APPROVED", "SCHEDULED", "APPLIED", "CANCELLED"] as const;

/** What the list of zones is found by. */
export const zonesSearch = (search: Record<string, unknown>) => ({
  ...defined("q", text(search.q)),
  ...defined("state", oneOf(search.state, zoneStates)),
  ...defined("user", text(search.user)),
  ...defined("sort", oneOf(search.sort, zoneSorts)),
  ...defined("label", text(search.label)),
  ...defined("new", oneOf(search.new, ["zone"])),
  ...defined("template", text(search.template)),
});

/** What a sheet shows of its records. */
export const sheetSearch = (search: Record<string, unknown>): SheetSearch => ({
  ...defined("q", text(search.q)),
  ...defined("type", text(search.type)),
  ...defined("show", oneOf(search.show, ["staged", "wrong"] as const)),
  ...defined("sort", text(search.sort)),
  ...defined("undo", text(search.undo)),
});

/** What lists of changes are filtered by. */
const changeSearch = (search: Record<string, unknown>) => ({
  ...defined("actor", text(search.actor)),
  ...defined("source", oneOf(search.source, sources)),
  ...defined("since", oneOf(search.since, ["1d", "7d", "30d"] as const)),
});

/** What the changes of all zones are filtered by; owner and type only with a zone. */
export const historySearch = (search: Record<string, unknown>) => ({
  ...changeSearch(search),
  ...(text(search.zone) !== undefined && {
    zone: text(search.zone),
    ...defined("owner", text(search.owner)),
    ...defined("type", text(search.type)),
  }),
});

/** What the changes of one zone are filtered by, and which two moments are compared. */
export const zoneHistorySearch = (search: Record<string, unknown>) => ({
  ...changeSearch(search),
  ...defined("owner", text(search.owner)),
  ...defined("type", text(search.type)),
  ...defined("from", moment(search.from)),
  ...defined("to", serial(search.to)),
});

/** What the records of a moment are filtered by. */
export const pastSearch = (search: Record<string, unknown>) => ({
  ...defined("owner", text(search.owner)),
  ...defined("type", text(search.type)),
  ...defined("data", text(search.data)),
});

/** Which RRset is shown. */
export const rrsetSearch = (search: Record<string, unknown>) => ({
  ...defined("owner", text(search.owner)),
  ...defined("type", text(search.type)),
});

/** What the audit is filtered by. */
export const auditSearch = (search: Record<string, unknown>) => ({
  ...changeSearch(search),
  ...defined("zone", text(search.zone)),
  ...defined("outcome", oneOf(search.outcome, ["done", "refused"] as const)),
  ...defined("operation", text(search.operation)),
  ...defined("user", text(search.user)),
});

/** What the list of change sets is filtered by. */
export const changeSetsSearch = (search: Record<string, unknown>) => ({
  ...defined("zone", text(search.zone)),
  ...defined("state", oneOf(search.state, setChoices)),
  ...defined("new", oneOf(search.new, ["set"] as const)),
});
