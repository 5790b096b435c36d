/**
 * The changes of one zone, below its line of time: boxes choose those that are undone, and the two that are compared.
 */
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { zoneOptions } from "../api/zone.ts";
import { Button, buttonClass } from "../parts/control/button.tsx";
import { isTyped } from "../parts/control/typed.ts";
import look from "../parts/look.module.css";
import { type Age, timeAgo } from "../parts/zone/origin-filters.tsx";
import { Changes } from "./changes.tsx";
import { Comparison } from "./comparison.tsx";
import css from "./history.module.css";
import { LineOfTime } from "./moment/line-of-time.tsx";
import { useMoments } from "./moment/queries.ts";
import type { ListedChange } from "./queries.ts";
import { useUndo } from "./undo.tsx";

const route = getRouteApi("/shell/zones/$zone/history");

export function ZoneHistory() {
  const { zone } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { serial } = useSuspenseQuery(zoneOptions(zone)).data;
  const moments = useMoments({ zone });
  const { from, to } = search;
  const [all, setChosen] = useState<readonly ListedChange[]>([]);
  // The page stays where another zone takes its place.
  const chosen = all.filter((change) => change.zone === zone);
  const choose = (changed: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  const isChosen = ({ id }: ListedChange) => chosen.some((each) => each.id === id);
  const toggle = (change: ListedChange) =>
    setChosen(isChosen(change) ? chosen.filter(({ id }) => id !== change.id) : [...chosen, change]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the rows in it
    <div className={look.stack} onKeyDown={chooseByKey}>
      <section className={look.card} aria-label="Moments">
        <LineOfTime
          moments={moments}
          at={0}
          onMoment={(serial) => void navigate({ to: "/zones/$zone/history/$moment", params: { zone, moment: serial } })}
        />
      </section>
      {from !== undefined && to !== undefined && (
        <Comparison zone={zone} from={from} to={to} onClose={() => choose({ from: undefined, to: undefined })} />
      )}
      {search.since && from === undefined && (
        <p>
          <Button onClick={() => choose({ from: timeAgo(search.since as Age), to: serial })}>
            What differs since then
          </Button>
        </p>
      )}
      <Changes
        selection={{ ...search, owner: search.name, zone }}
        onChange={(changed) => choose({ ...changed, ...("owner" in changed && { name: changed.owner }) })}
        chosen={{ changes: chosen, onToggle: toggle }}
      />
      {chosen.length > 0 && (
        <ChosenBar
          // What was refused of some is not of others.
          key={chosen.map(({ id }) => id).join()}
          chosen={chosen.toSorted((a, b) => Number(a.id) - Number(b.id))}
          onCompare={(older, newer) => {
            setChosen([]);
            choose({ from: String(older.serial), to: newer.serial });
          }}
          onClear={() => setChosen([])}
        />
      )}
    </div>
  );
}

/** Space chooses the row with the focus. */
function chooseByKey(event: KeyboardEvent<HTMLElement>): void {
  const { target } = event;
  if (event.key !== " " || !(target instanceof HTMLAnchorElement)) return;
  const box = target.closest("tr")?.querySelector<HTMLInputElement>("input[type=checkbox]");
  if (!box) return;
  event.preventDefault();
  box.click();
}

interface ChosenBarProps {
  /** The oldest first. */
  readonly chosen: readonly ListedChange[];
  readonly onCompare: (older: ListedChange, newer: ListedChange) => void;
  readonly onClear: () => void;
}

/** What is chosen, and what can be done with it. */
function ChosenBar({ chosen, onCompare, onClear }: ChosenBarProps) {
  const { readOnly } = useViewer();
  const [older, newer] = [chosen[0] as ListedChange, chosen.at(-1) as ListedChange];
  const isOne = chosen.length === 1;
  const mayUndo = !readOnly && chosen.every(({ kind }) => kind === "EDIT");
  const changeIds = chosen.map(({ id }) => id);
  const { button, question } = useUndo({
    by: { changeIds },
    title: isOne ? (older.note ?? older.summary ?? "") : `${chosen.length} changes of ${older.zone}`,
    draft: isOne ? { zone: older.zone, undo: older.id } : undefined,
    changeIds,
    words: isOne ? "Undo…" : chosen.length === 2 ? "Undo both…" : `Undo ${chosen.length} changes…`,
  });
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape" || isTyped(event.target) || document.querySelector("dialog[open], :popover-open"))
        return;
      // The page is not left.
      event.stopPropagation();
      onClear();
    };
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, [onClear]);
  return (
    <section className={css.bar} aria-label="Chosen changes">
      {question}
      <div>
        <b role="status">{chosen.length} chosen</b>
        <code>{isOne ? older.serial : `${older.serial} … ${newer.serial}`}</code>
        <Button kind="quiet" hint="Esc" onClick={onClear}>
          Clear
        </Button>
        {isOne && (
          <Link
            to="/zones/$zone/history/$moment"
            params={{ zone: older.zone, moment: String(older.serial) }}
            className={buttonClass()}
          >
            View zone
          </Link>
        )}
        {mayUndo && button}
        {chosen.length === 2 && (
          <Button kind="primary" onClick={() => onCompare(older, newer)}>
            Compare
          </Button>
        )}
      </div>
    </section>
  );
}
