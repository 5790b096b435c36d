/** The composer of a sheet: what is written in it, whether it is open, where its focus goes, and how a record is added. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { RecordTypes } from "../../api/record-types.ts";
import type { Problem } from "../apply/sentences.ts";
import { addRows } from "../model/sheet-actions.ts";
import type { SheetModel } from "../model/sheet-model.ts";
import type { RowValues } from "../records/row.ts";
import { composed, keepRecord, missingOf, nothing, readRecord, type Written, withoutData } from "./record.ts";

/** A field of the composer; `data` is the first one of the data. */
export type Place = "owner" | "type" | "ttl" | "data" | { readonly part: string };

export type Then = "data" | "owner" | "review";

interface Options {
  readonly fingerprint: string;
  readonly types: RecordTypes;
  onAdded(key: string): void;
  onReview(): void;
}

/** What Enter found wrong, and the record that has it. */
interface Marked {
  readonly values: string;
  readonly problem: Problem;
}

const placeOf = ({ column, part }: Problem): Place =>
  part !== undefined ? { part } : column === undefined || column === "rdata" ? "data" : column;

export function useComposer(model: SheetModel, options: Options) {
  const { fingerprint, types, onAdded, onReview } = options;
  const [written, setWritten] = useState(() => readRecord(localStorage, fingerprint, model.zone));
  const [opened, setOpened] = useState<boolean | undefined>(written === nothing ? undefined : true);
  const [place, setPlace] = useState<{ readonly at: Place }>();
  const [marked, setMarked] = useState<Marked>();
  const current = useRef(written);
  const pending = useRef<Promise<boolean>>(undefined);
  useEffect(() => keepRecord(localStorage, fingerprint, model.zone, written), [fingerprint, model.zone, written]);

  const version = model.version();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says when the model differs
  const record = useMemo(() => composed(model, written, types), [model, version, written, types]);
  const isUntouched =
    model.loading === "done" && [...model.records.typeCounts.keys()].every((type) => type === "SOA" || type === "NS");
  const write = (next: Written) => {
    current.current = next;
    setWritten(next);
  };
  const goTo = (at: Place) => setPlace({ at });
  const mark = (values: RowValues, problem: Problem) => {
    setMarked({ values: JSON.stringify(values), problem });
    goTo(placeOf(problem));
  };
  const stage = (values: RowValues) => {
    const [key] = addRows(model, [values]);
    if (key !== undefined) onAdded(key);
    return true;
  };

  /**
   * Adds a record whose check has not come yet, and returns whether it was added: a refusal brings it back, unless the next one is being
   * written already.
   */
  const addUnchecked = async (before: Written, values: RowValues) => {
    const emptied = current.current;
    // Without an answer, it is staged; the review asks again.
    await model.checks.checkRows([values], new AbortController().signal).catch(() => undefined);
    const [problem] = composed(model, before, types).problems;
    if (!problem || current.current !== emptied) return stage(values);
    write(before);
    mark(values, problem);
    return false;
  };

  /** Adds the record that is written; one that is wrong is only marked at first. */
  const add = async (then: Then) => {
    if (!record.hasData && (pending.current || then === "review")) {
      if ((await pending.current) !== false && then === "review") onReview();
      return;
    }
    const { values } = record;
    const missing = missingOf(record);
    if (missing) return mark(values, missing);
    const [problem] = record.problems;
    if (problem && marked?.values !== JSON.stringify(values)) return mark(values, problem);
    write(withoutData(written));
    setMarked(undefined);
    goTo(then === "owner" ? "owner" : "data");
    const isKnown = problem !== undefined || model.checks.of(values) !== undefined;
    const added = isKnown ? Promise.resolve(stage(values)) : addUnchecked(written, values);
    pending.current = added;
    const isAdded = await added;
    if (pending.current === added) pending.current = undefined;
    if (isAdded && then === "review") onReview();
  };

  return {
    written,
    record,
    write,
    isOpen: opened ?? isUntouched,
    place,
    goTo,
    /** What Enter found wrong with the record as it is. */
    marked: marked?.values === JSON.stringify(record.values) ? marked.problem : undefined,
    add,
    /** Opens it, with values in place of what was written. */
    open(at: Place, values?: Partial<RowValues>) {
      if (values) write({ ...nothing, values });
      setOpened(true);
      goTo(at);
    },
    /** Closes it, empty. */
    close() {
      write(nothing);
      setOpened(false);
    },
  };
}

export type Composer = ReturnType<typeof useComposer>;
