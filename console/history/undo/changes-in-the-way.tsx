/**
 * Why a change cannot be undone by itself: the RRsets that later changes made something else, and those changes.
 */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { graphql } from "../../api/generated/gql.ts";
import type { Refused } from "../../api/refused.ts";
import { run } from "../../api/run.ts";
import type { DifferenceLine } from "../../difference/difference.ts";
import { buttonClass } from "../../parts/control/button.tsx";
import { Named } from "../../parts/page/named.tsx";
import table from "../../parts/page/table.module.css";
import { emptyDraft } from "../../sheet/draft/draft.ts";
import { inverse, ownersOf } from "../../sheet/draft/inverse.ts";
import { Records } from "../../sheet/records/records.ts";
import { sheetService } from "../../sheet/records/requests.ts";
import { Blame } from "../moment/blame.tsx";
import css from "../moment/moment.module.css";
import type { Author } from "../moment/moment.ts";

const laterChange = graphql(`
  query LaterChange($id: ID!) {
    change(id: $id) { ...Author }
  }
`);

/** Changes that are shown at most, the newest. */
const maxShown = 20;

interface ChangesInTheWayProps {
  readonly zone: string;
  /** Of the change that is to be undone. */
  readonly id: string;
  /** What it did; undefined where that is not all here. */
  readonly lines: readonly DifferenceLine[] | undefined;
  readonly error: Refused;
}

export function ChangesInTheWay({ zone, id, lines, error }: ChangesInTheWayProps) {
  const changeIds = (error.body.details?.changeIds ?? []) as readonly string[];
  const shown = changeIds.slice(0, maxShown);
  const { data: changes = [] } = useQuery({
    queryKey: ["later-changes", shown],
    queryFn: async ({ signal }) => {
      const read: (Author | null | undefined)[] = [];
      // One after the other: a key has few requests in progress.
      for (const each of shown) read.push((await run(laterChange, { id: each }, signal)).change);
      return read;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data: isLeft } = useQuery({
    queryKey: ["left-of-change", id, shown],
    queryFn: ({ signal }) => isAnyLeft(zone, lines ?? [], signal),
  });
  return (
    <div role="alert" className={css.way}>
      <h3>
        {changeIds.length === 1 ? "A later change is in the way" : "Later changes are in the way"}; nothing was changed.
      </h3>
      <ul>
        {error.reasons.map(({ owner = "@", type = "SOA" }) => (
          <li key={`${owner} ${type}`}>
            <Link to="/zones/$zone/rrset" params={{ zone }} search={{ owner, type }}>
              <Named text={owner} /> {type}
            </Link>{" "}
            <span className={table.soft}>was made something else since.</span>
          </li>
        ))}
      </ul>
      <ul aria-label="Changes in the way">
        {shown.map((later, at) => (
          <li key={later}>
            <Link to="/changes/$change" params={{ change: later }}>
              {changes[at]?.serial ?? later}
            </Link>{" "}
            {changes[at] && <Blame change={changes[at]} />} {changes[at]?.note}
          </li>
        ))}
      </ul>
      {changeIds.length > shown.length && <p>And {changeIds.length - shown.length} more.</p>}
      {isLeft ? (
        <>
          <p>Undo those first, or undo here what nobody touched since and look at the rest yourself.</p>
          <p>
            <Link to="/zones/$zone" params={{ zone }} search={{ undo: id }} className={buttonClass()}>
              Stage what is left of it in the sheet
            </Link>
          </p>
        </>
      ) : (
        isLeft === false && <p>Undo those first: all of what it did was touched since.</p>
      )}
    </div>
  );
}

/** Owners that are read to find it out; a larger change is taken to have something left. */
const maxOwners = 50;

/** Throws Refused or Unreachable. */
/**
 * Whether a part of a change can still be taken back alone, although later changes prevent undoing the whole change. Throws Refused or
 * Unreachable.
 */
async function isAnyLeft(zone: string, lines: readonly DifferenceLine[], signal: AbortSignal): Promise<boolean> {
  const owners = new Set(ownersOf(lines));
  if (owners.size > maxOwners) return true;
  const records = new Records(zone);
  // One after the other: a key has few requests in progress.
  for (const owner of owners) records.replaceOwners(new Set([owner]), await sheetService.ofOwner(zone, owner, signal));
  return inverse(emptyDraft(zone), records, lines).draft.edits.size > 0;
}
