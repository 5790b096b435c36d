/**
 * A list of changes that is filtered, with what it says when there are none.
 */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Button, IconButton } from "../parts/control/button.tsx";
import { useWritten } from "../parts/control/use-debounced.ts";
import look from "../parts/look.module.css";
import { Listed } from "../parts/page/list.tsx";
import { More } from "../parts/page/more.tsx";
import page from "../parts/page/page.module.css";
import { Bar, Empty } from "../parts/page/page.tsx";
import { AgeFilter, SourceFilter } from "../parts/zone/origin-filters.tsx";
import { RecordFilters } from "../parts/zone/record-filters.tsx";
import { ChangesTable, type Chosen } from "./changes-table.tsx";
import { type ChangeSelection, historyOptions } from "./queries.ts";

interface ChangesProps {
  readonly selection: ChangeSelection;
  readonly onChange: (changed: ChangeSelection) => void;
  readonly chosen: Chosen;
}

export function Changes({ selection, onChange, chosen }: ChangesProps) {
  const { text, settled, write, empty } = useWritten(selection.owner, (owner) => onChange({ owner }));
  const query = historyOptions({ ...selection, owner: settled === "" ? undefined : settled });
  const history = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const { type, actor, source, since } = selection;
  const clear = () => {
    empty();
    onChange({ owner: undefined, type: undefined, actor: undefined, source: undefined, since: undefined });
  };
  return (
    <>
      <HistoryFilters
        selection={selection}
        onChange={onChange}
        first={<RecordFilters owner={text} onOwner={write} type={type} onChange={onChange} />}
      />
      <Listed
        query={history}
        empty={
          <Empty
            title="No change matches"
            action={(settled || type || actor || source || since) && <Button onClick={clear}>Clear filter</Button>}
          >
            The journal keeps every change of the zone, with who made it and through which interface.
          </Empty>
        }
      >
        {(changes) => (
          <ChangesTable
            changes={changes}
            chosen={chosen}
            onActor={(name) => onChange({ actor: name })}
            foot={<More query={history} what="changes" />}
          />
        )}
      </Listed>
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
        <span className={`${look.beside} ${look.anywhere} ${page.chosen}`}>
          by {actor}
          <IconButton icon="close" label="Changes of everybody" onClick={() => onChange({ actor: undefined })} />
        </span>
      )}
    </Bar>
  );
}
