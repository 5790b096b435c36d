/** Bars between grid and staged edits: that edits are kept while there is no connection, what others changed, why the zone was not read. */
import { useSyncExternalStore } from "react";
import { connectionLostSince, onConnection } from "../api/connection.ts";
import { Unreachable } from "../api/refused.ts";
import { IconButton } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Refusal } from "../parts/page/refusal.tsx";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { countStaged } from "./draft/draft.ts";
import type { Notice } from "./model/notice.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import css from "./sheet.module.css";

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
