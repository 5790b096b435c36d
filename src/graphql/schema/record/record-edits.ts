/**
 * Reads the edits of an input: those of one change, and those that are staged for a zone.
 */
import type { ZoneEdits } from "../../../zone/edit/edit-plan.ts";
import { readData, readNewData } from "./record-data-input.ts";
import type { ZoneEditsInput } from "./record-inputs.ts";

/** Reads edits; `path` is that of the input in the request. */
export function readEdits(
  { remove, update, add }: Pick<ZoneEditsInput, "remove" | "update" | "add">,
  path = "",
): Required<ZoneEdits> {
  return {
    remove: remove ?? [],
    update: (update ?? []).map(({ recordId, data, ...fields }, at) => ({
      ...fields,
      ...readData({ ...fields, data }, `${path}update.${at}.`),
      id: recordId,
    })),
    add: (add ?? []).map(({ data, ...fields }, at) => ({
      ...fields,
      ...readNewData({ ...fields, data }, `${path}add.${at}.`),
    })),
  };
}
