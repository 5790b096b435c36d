/**
 * What the audit is filtered by: the zone, how it ended, how it came, how old it is; and what was chosen in a row.
 */
import { Hidden } from "../parts/announce.tsx";
import { IconButton } from "../parts/button.tsx";
import { AgeFilter, SourceFilter } from "../parts/origin-filters.tsx";
import page from "../parts/page.module.css";
import { Bar, Filter } from "../parts/page.tsx";
import { operationWords } from "./operation-words.ts";
import type { AuditSelection } from "./queries.ts";

interface AuditFiltersProps {
  readonly selection: AuditSelection;
  readonly zone: string;
  readonly onZone: (zone: string) => void;
  /** The e-mail address of the user that is chosen, where it is known. */
  readonly userName: string | undefined;
  readonly onChange: (changed: AuditSelection) => void;
}

export function AuditFilters({ selection, zone, onZone, userName, onChange }: AuditFiltersProps) {
  const { outcome, source, since, operation, actor, user } = selection;
  return (
    <Bar>
      <Filter label="Of one zone" value={zone} onChange={onZone} />
      <label>
        <Hidden>How it ended</Hidden>
        <select
          value={outcome ?? ""}
          onChange={({ target }) => onChange({ outcome: (target.value || undefined) as AuditSelection["outcome"] })}
        >
          <option value="">Done and refused</option>
          <option value="done">Only done</option>
          <option value="refused">Only refused</option>
        </select>
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
