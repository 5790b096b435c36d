/**
 * The audit: what was done and what was refused, by whom and from where, the newest first; a row opens to all that is known of it.
 */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { nodesOf } from "../api/pages.ts";
import { Hidden } from "../parts/control/announce.tsx";
import { Button, IconButton } from "../parts/control/button.tsx";
import { Select } from "../parts/control/field.tsx";
import { useWritten } from "../parts/control/use-debounced.ts";
import listed from "../parts/page/entries.module.css";
import { Listed } from "../parts/page/list.tsx";
import { More } from "../parts/page/more.tsx";
import page from "../parts/page/page.module.css";
import { Bar, Empty, Filter } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { AgeFilter, SourceFilter } from "../parts/zone/origin-filters.tsx";
import css from "./audit.module.css";
import { AuditEntry } from "./audit-entry.tsx";
import { operationWords } from "./operation-words.ts";
import { type AuditSelection, auditOptions } from "./queries.ts";

const route = getRouteApi("/shell/activity");

export function AccessList() {
  const { kind: _kind, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (changed: AuditSelection) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const { text, settled: zone, write, empty } = useWritten(search.zone, (name) => choose({ zone: name }));
  const selection = { ...search, zone: zone === "" ? undefined : zone };
  const query = useInfiniteQuery({ ...auditOptions(selection), placeholderData: keepPreviousData });
  const clear = () => {
    empty();
    void navigate({ search: { kind: "access" }, replace: true });
  };
  const isFiltered = text.trim() !== "" || Object.values(search).some((value) => value !== undefined);
  const userName = nodesOf(query).find(({ user }) => user && user.id === search.user)?.user?.email;
  return (
    <>
      <AuditFilters selection={search} zone={text} onZone={write} userName={userName} onChange={choose} />
      <Listed
        query={query}
        empty={
          <Empty
            title="Nothing in the audit matches"
            action={isFiltered && <Button onClick={clear}>Clear filter</Button>}
          >
            It has every write, every refused one, and who signed in. Refused dynamic updates are among the refusals.
          </Empty>
        }
      >
        {(entries) => (
          <>
            <p aria-hidden="true" className={`${listed.summary} ${listed.heads} ${css.summary} ${table.soft}`}>
              <span>What</span>
              <span>Zone or user</span>
              <span>By</span>
              <span>Outcome</span>
              <span>When</span>
            </p>
            <ul className={page.list}>
              {entries.map((entry) => (
                <AuditEntry key={entry.id} entry={entry} onChoose={choose} />
              ))}
            </ul>
            <More query={query} what="entries" />
          </>
        )}
      </Listed>
    </>
  );
}

interface AuditFiltersProps {
  readonly selection: AuditSelection;
  readonly zone: string;
  readonly onZone: (zone: string) => void;
  /** The e-mail address of the user that is chosen, where it is known. */
  readonly userName: string | undefined;
  readonly onChange: (changed: AuditSelection) => void;
}

const outcomes = [
  ["", "Done and refused"],
  ["done", "Only done"],
  ["refused", "Only refused"],
] as const;

function AuditFilters({ selection, zone, onZone, userName, onChange }: AuditFiltersProps) {
  const { outcome, source, since, operation, actor, user } = selection;
  return (
    <Bar>
      <Filter label="Of one zone" value={zone} onChange={onZone} />
      <label>
        <Hidden>How it ended</Hidden>
        <Select
          value={outcome ?? ""}
          options={outcomes}
          onChange={(chosen) => onChange({ outcome: chosen || undefined })}
        />
      </label>
      <SourceFilter source={source} onChange={onChange} />
      <AgeFilter since={since} onChange={onChange} />
      {operation && (
        <span className={page.chosen}>
          {operationWords(operation)}
          <IconButton icon="close" label="Every operation" onClick={() => onChange({ operation: undefined })} />
        </span>
      )}
      {actor && (
        <span className={page.chosen}>
          by {actor}
          <IconButton icon="close" label="By everybody" onClick={() => onChange({ actor: undefined })} />
        </span>
      )}
      {user && (
        <span className={page.chosen}>
          of {userName ?? `user ${user}`}
          <IconButton icon="close" label="Of every user" onClick={() => onChange({ user: undefined })} />
        </span>
      )}
    </Bar>
  );
}
