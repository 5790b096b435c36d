/** Parts of operations, variables and results that the paths of several nouns share. */
import { Refusal } from "../errors.ts";
import { queryText, type RestRequest } from "./request.ts";
import type { Variables } from "./route-form.ts";

/** The fields of a page of a list, and the variables of its operation. */
export const pageFields = "pageInfo { hasNextPage endCursor } totalCount @include(if: $count)";
export const pageVariables = "$first: Int!, $after: String, $count: Boolean!";

export const changeAndNotices = "change { id serial } notices { message }";

/**
 * The text of an operation that reads an object by up to three selectors. Whether all selectors mean the same object is checked by
 * `sameObject`.
 */
export const lookup = (noun: "user" | "domain", fields: string) => {
  const type = noun === "user" ? "UserSelector!" : "DomainSelector!";
  return `query ($by: ${type}, $by1: ${type}, $has1: Boolean!, $by2: ${type}, $has2: Boolean!) {
    ${noun}(by: $by) { id ${fields} }
    by1: ${noun}(by: $by1) @include(if: $has1) { id }
    by2: ${noun}(by: $by2) @include(if: $has2) { id }
  }`;
};

export type Selector = Readonly<Record<string, string>>;

/** The selectors in the query; `names` has the parameter of each field of GraphQL. */
export const selectorsOf = (request: RestRequest, names: Readonly<Record<string, string>>): Selector[] =>
  Object.entries(names).flatMap(([field, name]) => {
    const value = queryText(request, name);
    return value === undefined ? [] : [{ [field]: value }];
  });

/** The variables for an object with one to three selectors. */
export function selectedBy([by, by1, by2]: readonly Selector[]): Variables {
  return { by, by1: by1 ?? by, has1: by1 !== undefined, by2: by2 ?? by, has2: by2 !== undefined };
}

/**
 * Returns the object of the first selector; throws NOT_FOUND at `field` when another selector identifies a different
 * object. Ids are compared, since names have many spellings.
 */
export function sameObject<Selected>(
  selected: Selected & { readonly id: string },
  { by1, by2 }: { readonly by1?: { readonly id: string }; readonly by2?: { readonly id: string } },
  field: string,
): Selected {
  if ([by1, by2].every((other) => other === undefined || other.id === selected.id)) return selected;
  throw new Refusal("NOT_FOUND", "The path and the query select different objects; send one of them.", { field });
}

export interface ZoneMutation {
  readonly change: { readonly id: string; readonly serial: number } | null;
  readonly notices?: readonly { readonly message: string }[];
}

/** The headers of a write: its change, and its notices as warnings in ASCII. */
export function changeHeaders({ change, notices = [] }: ZoneMutation): Record<string, string | string[]> {
  const printable = notices.map(({ message }) => message.replace(/[^\x20-\x7e]/g, "?"));
  return {
    ...(change && { "X-Change-Id": change.id, "X-Zone-Serial": String(change.serial) }),
    ...(printable.length > 0 && { "X-Warning": printable }),
  };
}
