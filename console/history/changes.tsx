/**
 * A list of changes that is filtered, with what it says when there are none.
 */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, IconButton } from "../parts/control/button.tsx";
import { useDebounced } from "../parts/control/use-debounced.ts";
import { More } from "../parts/page/more.tsx";
import page from "../parts/page/page.module.css";
import { Bar, Empty, Loading } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import table from "../parts/page/table.module.css";
import { AgeFilter, SourceFilter } from "../parts/zone/origin-filters.tsx";
import { RecordFilters } from "../parts/zone/record-filters.tsx";
import { ChangesTable, type Compared } from "./changes-table.tsx";
import { type ChangeSelection, historyOptions } from "./queries.ts";

interface ChangesProps {
  readonly selection: ChangeSelection;
  readonly onChange: (changed: ChangeSelection) => void;
  /** Which two moments of the zone are compared; undefined for the changes of all zones. */
  readonly compared?: Compared;
  /** Clears the filter of the zone too, where there is one. */
  readonly onClear?: () => void;
}

export function Changes({ selection, onChange, compared, onClear }: ChangesProps) {
  const [owner, setOwner] = useState(selection.owner ?? "");
  const settled = useDebounced(owner.trim());
  const query = historyOptions({ ...selection, owner: settled === "" ? undefined : settled });
  const history = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const changes = history.data?.pages.flatMap(({ nodes }) => nodes) ?? [];
  const { zone, type, actor, source, since } = selection;
  const writeOwner = (text: string) => {
    setOwner(text);
    onChange({ owner: text.trim() === "" ? undefined : text.trim() });
  };
  const clear = () => {
    setOwner("");
    onChange({ owner: undefined, type: undefined, actor: undefined, source: undefined, since: undefined });
    onClear?.();
  };
  return (
    <>
      <HistoryFilters
        selection={selection}
        onChange={onChange}
        first={zone && <RecordFilters owner={owner} onOwner={writeOwner} type={type} onChange={onChange} />}
      />
      {history.error && <Refusal error={history.error} onRetry={() => void history.refetch()} />}
      {history.isPending && !history.error && <Loading />}
      {history.data && changes.length === 0 && !history.error && (
        <Empty
          title="No change matches"
          action={
            (settled || type || actor || source || since || (zone && onClear)) && (
              <Button onClick={clear}>Clear the filter</Button>
            )
          }
        >
          The journal keeps every change of every zone, with who made it and through which interface.
        </Empty>
      )}
      {changes.length > 0 && (
        <div className={table.box}>
          <ChangesTable changes={changes} compared={compared} onActor={(name) => onChange({ actor: name })} />
          <More query={history} what="changes" />
        </div>
      )}
    </>
  );
}

interface HistoryFiltersProps {
  readonly selection: ChangeSelection;
  readonly onChange: (changed: ChangeSelection) => void;
  /** What is before the others. */
  readonly first?: React.ReactNode;
}

/** Selects changes by source, age and author. */
function HistoryFilters({ selection, onChange, first }: HistoryFiltersProps) {
  const { actor, source, since } = selection;
  return (
    <Bar>
      {first}
      <SourceFilter source={source} onChange={onChange} />
      <AgeFilter since={since} onChange={onChange} />
      {actor && (
        <span className={page.chosen}>
          by {actor}
          <IconButton icon="close" label="Changes of everybody" onClick={() => onChange({ actor: undefined })} />
        </span>
      )}
    </Bar>
  );
}
