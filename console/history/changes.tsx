/**
 * A list of changes that is filtered, with what it says when there are none.
 */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Button } from "../parts/button.tsx";
import { More } from "../parts/more.tsx";
import { Empty, Loading } from "../parts/page.tsx";
import { Refusal } from "../parts/refusal.tsx";
import table from "../parts/table.module.css";
import { ChangesTable } from "./changes-table.tsx";
import { HistoryFilters } from "./filters.tsx";
import { type ChangeSelection, historyOptions, type ListedChange } from "./queries.ts";

interface ChangesProps {
  readonly selection: ChangeSelection;
  readonly onChange: (changed: ChangeSelection) => void;
  readonly withZone: boolean;
  /** What is at the end of the filters, with the changes that are shown. */
  readonly children?: (changes: readonly ListedChange[]) => React.ReactNode;
}

export function Changes({ selection, onChange, withZone, children }: ChangesProps) {
  const history = useInfiniteQuery({ ...historyOptions(selection), placeholderData: keepPreviousData });
  const changes = history.data?.pages.flatMap(({ nodes }) => nodes) ?? [];
  const { actor, door, since } = selection;
  const clear = () => onChange({ actor: undefined, door: undefined, since: undefined });
  return (
    <>
      <HistoryFilters selection={selection} onChange={onChange}>
        {children?.(changes)}
      </HistoryFilters>
      {history.error && <Refusal error={history.error} onRetry={() => void history.refetch()} />}
      {history.isPending && !history.error && <Loading />}
      {history.data && changes.length === 0 && (
        <Empty
          title="No change matches"
          action={(actor || door || since) && <Button onClick={clear}>Clear the filter</Button>}
        >
          The journal keeps every change of every zone, with who made it and through which interface.
        </Empty>
      )}
      {changes.length > 0 && (
        <div className={table.box}>
          <ChangesTable changes={changes} withZone={withZone} onActor={(name) => onChange({ actor: name })} />
          <More query={history} what="changes" />
        </div>
      )}
    </>
  );
}
