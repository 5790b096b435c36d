/**
 * Changes as a list: which zone, when, by whom and how, what they did, and how far they are published.
 */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { PublicationState } from "../api/generated/graphql.ts";
import { Named } from "../parts/page/named.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { authorName, fullAuthor, throughText } from "../parts/text/author.ts";
import { Ago } from "../parts/text/time.tsx";
import { DeletionState, State } from "../parts/zone/state.tsx";
import css from "./history.module.css";
import type { ListedChange } from "./queries.ts";

/** Which changes are chosen, and what chooses one, or does not any more. */
export interface Chosen {
  readonly changes: readonly ListedChange[];
  readonly onToggle: (change: ListedChange) => void;
}

interface ChangesTableProps {
  readonly changes: readonly ListedChange[];
  /** Of the changes of one zone, which are chosen; without it, each row says its zone. */
  readonly chosen?: Chosen | undefined;
  readonly onActor: (actor: string) => void;
  /** What is below the rows. */
  readonly foot: ReactNode;
}

export function ChangesTable({ changes, chosen, onActor, foot }: ChangesTableProps) {
  return (
    <Table
      label="Changes"
      headings={["Serial", ...(chosen ? [] : ["Zone"]), "When", "By", "What", "State"]}
      hasActions={chosen !== undefined}
      foot={foot}
    >
      {changes.map((change) => (
        <tr key={change.id}>
          <td className={`${table.mono} ${css.serial}`}>
            {chosen && (
              <input
                type="checkbox"
                aria-label={`Choose ${change.serial}`}
                checked={chosen.changes.some(({ id }) => id === change.id)}
                disabled={!isMoment(change)}
                onChange={() => chosen.onToggle(change)}
              />
            )}
            <Link to="/changes/$change" params={{ change: change.id }}>
              {change.serial}
            </Link>
          </td>
          {!chosen && (
            <td className={table.line} title={change.domain?.zoneUnicode ?? change.zone}>
              {change.domain ? (
                <Link to="/zones/$zone/history" params={{ zone: change.zone }}>
                  {change.domain.zoneUnicode}
                </Link>
              ) : (
                <>
                  <Named text={change.zone} /> <span className={table.soft}>deleted</span>
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
              title={`Only changes of ${fullAuthor(change)}`}
              onClick={() => onActor(change.actor)}
            >
              {authorName(change)}
            </button>{" "}
            <span className={table.soft}>{throughText(change)}</span>
          </td>
          <td>
            <span className={css.what}>
              <Named text={change.summary ?? ""} />
            </span>
            {change.note && !isOfReturn(change) && <span className={css.note}>{change.note}</span>}
            <Return change={change} />
          </td>
          <td>
            <ChangeState change={change} />
          </td>
          {chosen && (
            <td className={table.end}>
              {isMoment(change) && (
                <Link
                  to="/zones/$zone/history/$moment"
                  params={{ zone: change.zone, moment: String(change.serial) }}
                  className={css.view}
                  aria-label={`View zone, as of ${change.serial}`}
                >
                  View zone
                </Link>
              )}
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

/** Whether a change left the zone that there is now at a moment; the name may have had another zone before, which was deleted. */
const isMoment = ({ kind, domain }: ListedChange) => kind !== "DELETE" && domain !== null;

/** Whether a note says no more than to which change it goes back. */
const isOfReturn = ({ note, undoes }: Pick<ListedChange, "note" | "undoes">) =>
  undoes !== null && note === `undo of ${undoes.serial}`;

/** To which change a change goes back. */
export function Return({
  change: { undoes, returnsTo },
}: {
  readonly change: Pick<ListedChange, "undoes" | "returnsTo">;
}) {
  const other = undoes ?? returnsTo;
  if (!other) return null;
  return (
    <span className={css.note}>
      {undoes ? "undoes" : "returns to"}{" "}
      <Link to="/changes/$change" params={{ change: other.id }}>
        {other.serial}
      </Link>
    </span>
  );
}

interface Published extends Pick<ListedChange, "kind"> {
  readonly publication: { readonly state: PublicationState } | null;
  readonly domain: unknown;
}

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
