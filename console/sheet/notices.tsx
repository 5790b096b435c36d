/** What is said around the grid: what others changed and why the zone was not read, what was pasted, and why there are no rows. */
import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { connectionLostSince, onConnection } from "../api/connection.ts";
import { Unreachable } from "../api/run.ts";
import { Button, buttonClass, IconButton } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Refusal } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { makeRelative } from "./clipboard/paste-rows.ts";
import { isForeign } from "./clipboard/relative-names.ts";
import { countStaged, hiddenWords } from "./draft/draft.ts";
import type { Notice } from "./model/notice.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import css from "./sheet.module.css";
import type { LastPaste } from "./use-clipboard.ts";
import type { Filter } from "./view/filter.ts";

/** "anna · laptop changed 2 records". */
function whatText({ authors, count }: Notice): string {
  const who = authors.length === 0 ? "Others" : authors.join(" and ");
  return `${who} changed ${count === undefined ? "the zone" : counted(count, "record")}`;
}

export function Notices({ model }: { readonly model: SheetModel }) {
  const since = useSyncExternalStore(onConnection, connectionLostSince);
  const staged = countStaged(model.draft);
  const { loading, notice } = model;
  return (
    <>
      {since && staged > 0 && (
        <p className={`${css.bar} ${css.late}`} role="status">
          Your {staged} {staged === 1 ? "change is" : "changes are"} kept here.
        </p>
      )}
      {typeof loading === "object" && !(loading.error instanceof Unreachable) && (
        <Refusal error={loading.error} onRetry={() => void model.load()} />
      )}
      <div role="status">
        {model.lost && !model.review && (
          <p className={`${css.bar} ${css.own}`}>
            The answer to the last change was lost. Whether it was committed is found out as soon as the service
            answers.
          </p>
        )}
        {notice && (
          <div className={`${look.line} ${css.bar} ${css.own}`}>
            <p className={look.grow}>
              {whatText(notice)} {notice.at && <Ago time={notice.at} />};{" "}
              {notice.isMine ? "some of what you edit is among it" : "none of yours"}.
            </p>
            <IconButton icon="close" label="Dismiss" onClick={() => model.dismissNotice()} />
          </div>
        )}
      </div>
    </>
  );
}

interface PasteLineProps {
  readonly model: SheetModel;
  readonly last: LastPaste;
  onShowWrong(): void;
  onUndo(): void;
  onImport(text: string): void;
  /** Its rows were written into. */
  onWritten(): void;
}

const pastedClass = `${look.message} ${look.line} ${css.pasted}`;

const isAre = (count: number) => (count === 1 ? "is" : "are");

/** Over the grid: what was pasted, what of it is wrong, and what can be done about it. */
export function PasteLine({ model, last: { result, text }, onShowWrong, onUndo, onImport, onWritten }: PasteLineProps) {
  if (result.kind === "nothing") return null;
  if (result.kind === "too many")
    return (
      <div className={pastedClass}>
        <p role="status">
          <b>That is {counted(result.count, "record")}.</b> Import them as a file?
        </p>
        <Button onClick={() => onImport(text)}>Import</Button>
      </div>
    );
  const { keys, written, present } = result;
  const wrongKeys = model.checks.wrongKeys(model.draft);
  const wrong = keys.filter((key) => wrongKeys.has(key));
  const added = keys.length - written;
  const foreign = wrong.filter((key) => {
    const edit = model.draft.edits.get(key);
    return edit?.kind === "add" && isForeign(edit.values.owner, model.zone);
  });
  const done = [
    (added > 0 || written === 0) && `${added === 0 ? "No rows" : counted(added, "row")} added to your edits`,
    written > 0 && `${counted(written, "row")} changed`,
    wrong.length > 0 && `${wrong.length} ${isAre(wrong.length)} wrong`,
  ].filter(Boolean);
  return (
    <div className={wrong.length > 0 ? pastedClass : `${pastedClass} ${css.own}`}>
      <p role="status">
        <b>{done.join(", ")}.</b>
        {present > 0 && ` ${present} ${present === 1 ? "was" : "were"} there already and ${isAre(present)} left out.`}
      </p>
      {foreign.length > 0 && (
        <Button
          onClick={() => {
            makeRelative(model, foreign);
            onWritten();
          }}
        >
          Make them relative
        </Button>
      )}
      {wrong.length > 0 && <Button onClick={onShowWrong}>Show the wrong rows</Button>}
      {keys.length > 0 && <Button onClick={onUndo}>Undo paste</Button>}
    </div>
  );
}

interface NoRowsProps {
  readonly model: SheetModel;
  readonly filter: Filter;
  readonly hiddenStaged: number;
  onClear(): void;
}

function reasonOf({ draft, checks }: SheetModel, { text, type, show }: Filter): string {
  if (show !== "all" && draft.edits.size === 0) return "Nothing is edited";
  if (show === "wrong" && checks.wrongKeys(draft).size === 0) return "Nothing is wrong any more";
  const filtered = [type, text !== "" && `“${text}”`].filter(Boolean).join(" ");
  return `No record matches${filtered === "" ? "" : ` ${filtered}`}`;
}

export function NoRows({ model, filter, hiddenStaged, onClear }: NoRowsProps) {
  return (
    <div className={`${look.soft} ${css.empty}`}>
      <b role="status">{model.records.size === 0 ? "The zone has no records" : reasonOf(model, filter)}</b>
      {hiddenStaged > 0 && <p>{hiddenWords(hiddenStaged)}</p>}
      <Button onClick={onClear} data-no-rows>
        Clear filter
      </Button>
    </div>
  );
}

/** Below SOA and NS of a zone that has nothing else. */
export function OnlyApex({ isReadOnly, onImport }: { readonly isReadOnly: boolean; onImport(): void }) {
  return (
    <div className={`${look.soft} ${css.empty}`}>
      <b>Only SOA and NS so far</b>
      {!isReadOnly && (
        <>
          <p>Add a record above, paste rows from a spreadsheet or a zone file, or start from a template.</p>
          <div className={look.line}>
            <Button onClick={onImport}>Import a file…</Button>
            <Link to="/settings/templates" className={buttonClass()}>
              Use a template…
            </Link>
          </div>
        </>
      )}
    </div>
  );
}
