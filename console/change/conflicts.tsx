/** Conflicts of a change set: each RRset as it was when staged, in the set, and now, with the choice to keep the set's or leave it out. */
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Resolution } from "../api/generated/graphql.ts";
import { lookAgain, type PreviewedZone, type ShownSet } from "../changesets/queries.ts";
import { isOutdated, resolveIn } from "../changesets/steps.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Refusal } from "../parts/page/refusal.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { authorName, fullAuthor } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
import { Ago } from "../parts/text/time.tsx";

type Conflict = PreviewedZone["preview"]["conflicts"][number];

interface ConflictsProps {
  readonly set: ShownSet;
  readonly zone: string;
  readonly conflicts: readonly Conflict[];
  readonly mayResolve: boolean;
  readonly onOutdated: (sentence: string | undefined) => void;
}

const done: Readonly<Record<Resolution, string>> = {
  MINE: "is kept as it was staged.",
  THEIRS: "is left as it is now.",
};

export function Conflicts({ set, zone, conflicts, mayResolve, onOutdated }: ConflictsProps) {
  const resolving = useMutation({
    mutationFn: ({ owner, type, resolution }: Pick<Conflict, "owner" | "type"> & { readonly resolution: Resolution }) =>
      resolveIn(set, { zone, owner, type, resolution }),
    onSuccess: (_, { owner, type, resolution }) => {
      announceResult(`${rrsetText({ owner, type }) || zone} ${done[resolution]}`);
      onOutdated(undefined);
      // The buttons that had the focus are gone.
      document.getElementById("page")?.focus();
    },
    onError: (error) => {
      if (isOutdated(error)) onOutdated(error.message);
    },
    onSettled: () => lookAgain(set.id),
  });
  const { error, isPending } = resolving;
  return (
    <>
      <p>
        Somebody else changed the same since it was staged.
        {mayResolve && " Use what this change makes of it, which is to be approved again, or leave it as it is now."}
      </p>
      <Table
        label={`Conflicts in ${unicodeText(zone)}`}
        headings={["Conflict", "When staged", "This change", "Now"]}
        hasActions={mayResolve}
      >
        {conflicts.map((conflict) => {
          const rrset = rrsetText(conflict);
          const button = (resolution: Resolution, words: string) => (
            <Button
              aria-label={`${words} ${rrset || unicodeText(zone)}`}
              busy={isPending}
              onClick={() => resolving.mutate({ owner: conflict.owner, type: conflict.type, resolution })}
            >
              {words}
            </Button>
          );
          return (
            <tr key={rrset}>
              <td className={look.anywhere}>{conflict.message}</td>
              <Lines label="when staged" lines={conflict.base} />
              <Lines label="this change" lines={conflict.mine} />
              <Lines label="now" lines={conflict.theirs} change={conflict.change} />
              {mayResolve && (
                <td className={`${table.end} ${table.below}`}>
                  <div className={look.line}>
                    {rrset && button("MINE", "Use mine")}
                    {button("THEIRS", "Use theirs")}
                  </div>
                </td>
              )}
            </tr>
          );
        })}
      </Table>
      {error && !isOutdated(error) && <Refusal error={error} />}
    </>
  );
}

/** The owner and type of a conflict; empty where it is about the zone as a whole. */
const rrsetText = ({ owner, type }: Pick<Conflict, "owner" | "type">) => (owner === null ? "" : `${owner} ${type}`);

interface LinesProps {
  readonly label: string;
  readonly lines: readonly string[];
  /** The change that made them so. */
  readonly change?: Conflict["change"];
}

function Lines({ label, lines, change }: LinesProps) {
  return (
    <td className={`${look.mono} ${look.anywhere}`} data-label={label}>
      {lines.length === 0 ? "–" : lines.map((line) => <div key={line}>{line}</div>)}
      {change && (
        <Link to="/changes/$change" params={{ change: change.id }} title={fullAuthor(change)} className={look.small}>
          <span>
            by {authorName(change)}, <Ago time={change.createdAt} />
          </span>
        </Link>
      )}
    </td>
  );
}
