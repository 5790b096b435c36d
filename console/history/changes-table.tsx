/**
 * Changes as a list: which zone, when, by whom and how, what they did, and how far they are published.
 */
import { Link } from "@tanstack/react-router";
import { actorName } from "../parts/actor.tsx";
import { DeletionState, State } from "../parts/state.tsx";
import table from "../parts/table.module.css";
import { Ago } from "../parts/time.tsx";
import css from "./history.module.css";
import type { ListedChange } from "./queries.ts";

interface ChangesTableProps {
  readonly changes: readonly ListedChange[];
  /** Whether each row says its zone. */
  readonly withZone: boolean;
  readonly onActor: (actor: string) => void;
}

export function ChangesTable({ changes, withZone, onActor }: ChangesTableProps) {
  return (
    <table className={table.table} aria-label="Changes">
      <thead>
        <tr>
          <th scope="col">Serial</th>
          {withZone && <th scope="col">Zone</th>}
          <th scope="col">When</th>
          <th scope="col">By</th>
          <th scope="col">What</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.id}>
            <td className={table.mono}>
              <Link to="/history/$change" params={{ change: change.id }}>
                {change.serial}
              </Link>
            </td>
            {withZone && (
              <td className={table.wide}>
                {change.domain ? (
                  <Link to="/zones/$zone/history" params={{ zone: change.zone }}>
                    {change.domain.zoneUnicode}
                  </Link>
                ) : (
                  <>
                    {change.zone} <span className={table.soft}>deleted</span>
                  </>
                )}
              </td>
            )}
            <td className={table.nowrap}>
              <Ago time={change.createdAt} />
            </td>
            <td className={table.nowrap}>
              <button
                type="button"
                className={css.actor}
                title={`Only changes of ${change.actor}`}
                onClick={() => onActor(change.actor)}
              >
                {actorName(change.actor)}
              </button>{" "}
              <span className={table.soft}>{change.door.toLowerCase()}</span>
            </td>
            <td>
              <span className={css.what}>{whatText(change)}</span>
              {change.note && <span className={css.note}>{change.note}</span>}
            </td>
            <td>
              <ChangeState change={change} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Published = Pick<ListedChange, "kind" | "publication"> & { readonly domain: unknown };

/** How far a change is published. */
export function ChangeState({ change }: { readonly change: Published }) {
  if (!change.publication) return null;
  const { state } = change.publication;
  return change.kind === "DELETE" ? (
    <DeletionState state={state} isBack={change.domain !== null} />
  ) : (
    <State state={state} />
  );
}

/** What a change did, in a few words: the SOA that every change removes and adds does not count. */
export function whatText({ kind, added, removed }: Pick<ListedChange, "kind" | "added" | "removed">): string {
  if (kind === "CREATE") return `created with ${added?.totalCount ?? "its"} records`;
  if (kind === "DELETE") return `deleted with ${removed?.totalCount ?? "its"} records`;
  const [plus, minus] = [added, removed].map((list) => Math.max(0, (list?.totalCount ?? 1) - 1));
  return [plus && `+${plus}`, minus && `−${minus}`].filter(Boolean).join(" ") || "serial";
}
