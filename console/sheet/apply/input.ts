/** A draft as the input of `changeRecords`, with the row that each of its places stands for: refusals name `add.3.rdata`. */
import type { ChangedEdit, Draft } from "../draft/draft.ts";
import { changedColumns } from "../draft/outcome.ts";
import { type Column, columnOf, parseTtl, type RowValues } from "../records/row.ts";
import type { AddInput, ChangeInput, Reason, UpdateInput } from "../records/sheet-service.ts";
import { type Problem, problemAt } from "./sentences.ts";

/** The input, and the keys of the rows in the order of its lists. */
export interface DraftInput {
  readonly input: ChangeInput;
  readonly keys: Readonly<Record<"remove" | "update" | "add", readonly string[]>>;
}

/** A TTL as the field of an input; nothing where it is empty or not a TTL, which `ttlProblem` says. */
function ttlField(text: string): { ttl?: number } {
  const ttl = parseTtl(text);
  return ttl === undefined ? {} : { ttl };
}

export function addInput({ owner, type, ttl, rdata }: RowValues): AddInput {
  return { owner: owner.trim() || "@", type: type.trim().toUpperCase(), rdata: rdata.trim(), ...ttlField(ttl) };
}

/** The sentence about a TTL that cannot be sent; undefined when it can be. */
export function ttlProblem(text: string): string | undefined {
  if (text.trim() === "" || parseTtl(text) !== undefined) return undefined;
  return `"${text}" is not a TTL; write seconds from 0 to 2147483647, or 5m, 1h, 1d.`;
}

const soaSerial = (rdata: string) => rdata.trim().split(/\s+/)[2];

/** SOA data whose serial was not edited, with the one after it: an edited SOA needs a greater serial (RFC 1982). */
function withNextSerial(rdata: string, present: number): string {
  const fields = rdata.trim().split(/\s+/);
  fields[2] = String((present + 1) % 2 ** 32);
  return fields.join(" ");
}

function updateInput(edit: ChangedEdit, serial: number): UpdateInput {
  const { owner, type, ttl, rdata } = addInput(edit.values);
  const changed = new Set<Column>(changedColumns(edit));
  const isSoaAsBefore = edit.before.type === "SOA" && soaSerial(rdata) === soaSerial(edit.before.rdata);
  return {
    recordId: edit.key,
    ...(changed.has("owner") && { owner }),
    ...(changed.has("type") && { type }),
    ...(changed.has("ttl") && ttl !== undefined && { ttl }),
    ...(changed.has("rdata") && { rdata: isSoaAsBefore ? withNextSerial(rdata, serial) : rdata }),
  };
}

export function inputOf(draft: Draft, serial: number): DraftInput {
  const edits = [...draft.edits.values()];
  const removed = edits.filter((edit) => edit.kind === "remove");
  const changed = edits.filter((edit) => edit.kind === "change");
  const added = edits.filter((edit) => edit.kind === "add");
  const keysOf = (list: readonly { readonly key: string }[]) => list.map(({ key }) => key);
  return {
    input: {
      zone: draft.zone,
      expectedSerial: serial,
      remove: keysOf(removed),
      update: changed.map((edit) => updateInput(edit, serial)),
      add: added.map(({ values }) => addInput(values)),
    },
    keys: { remove: keysOf(removed), update: keysOf(changed), add: keysOf(added) },
  };
}

export interface PlacedReasons {
  readonly rows: ReadonlyMap<string, readonly Problem[]>;
  readonly rest: readonly string[];
}

/** The list, the row and the field of a path such as `add.3.rdata`. */
const pathOf = (path: string | null | undefined): readonly (string | undefined)[] =>
  /^(add|update|remove)\.(\d+)(?:\.(\w+))?$/.exec(path ?? "") ?? [];

export function placeReasons(reasons: readonly Reason[], keys: DraftInput["keys"]): PlacedReasons {
  const rows = new Map<string, Problem[]>();
  const rest: string[] = [];
  for (const reason of reasons) {
    const { field, message, edits } = reason;
    const places = new Set([...(field ? [field] : []), ...(edits ?? [])].map((path) => path.split(".", 2).join(".")));
    const [, , , name] = pathOf(field);
    const column = columnOf(name);
    const placed = [...places].flatMap((path) => {
      const [, list, at] = pathOf(path);
      const key = list === undefined ? undefined : keys[list as keyof DraftInput["keys"]][Number(at)];
      return key === undefined ? [] : [{ key, column: field?.startsWith(`${path}.`) ? column : undefined }];
    });
    if (placed.length === 0) rest.push(message);
    for (const { key, column: cell } of placed) {
      rows.set(key, [...(rows.get(key) ?? []), problemAt(cell, reason)]);
    }
  }
  return { rows, rest };
}
