/**
 * What a change set would do to one zone: the difference, and what is in its way. Conflicts show each RRset as it was when staged, in the
 * set, and now, with the choice to keep the set's or leave it out.
 */
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Resolution } from "../api/generated/graphql.ts";
import { readAll } from "../api/pages.ts";
import { graphql, run } from "../api/run.ts";
import {
  actionsOf,
  isOutdated,
  lookAgain,
  type PreviewedZone,
  resolveIn,
  type ShownSet,
  unstage,
} from "../changesets/queries.ts";
import { changeLines, type DifferenceLine, plusMinus } from "../difference/difference.ts";
import { DifferenceList } from "../difference/difference-list.tsx";
import { rowsOf } from "../difference/rrset-rows.ts";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { DialogButton, Question } from "../parts/page/form.tsx";
import { RowTable } from "../parts/page/list.tsx";
import { Refusal } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { authorName, fullAuthor } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
import { Ago } from "../parts/text/time.tsx";
import { afterStep } from "./set-actions.tsx";

interface ZoneDifferenceProps {
  readonly set: ShownSet;
  readonly zone: PreviewedZone["preview"];
  readonly fingerprint: string;
  readonly after: string | null;
  readonly onOutdated: (sentence: string | undefined) => void;
}

const actionWords = {
  CREATE: "is created",
  DELETE: "is deleted with all its records",
  EDIT: "",
  RESTORE: "is restored",
} as const;

export function ZoneDifference({ set, zone, fingerprint, after, onOutdated }: ZoneDifferenceProps) {
  const { conflicts, refusals, notices, dropped } = zone;
  const whole = useMutation({ mutationFn: () => readWholeZone(set.id, fingerprint, after) });
  const name = unicodeText(zone.zone);
  const mayStage = actionsOf(set)("STAGE");
  const isCut = zone.rrsets?.pageInfo.hasNextPage === true && !whole.data;
  return (
    <article aria-label={name} className={look.stack}>
      <header className={look.line}>
        <h3>
          {zone.serial === null ? (
            name
          ) : (
            <Link to="/zones/$zone" params={{ zone: zone.zone }} className={look.plain}>
              {name}
            </Link>
          )}
        </h3>
        {actionWords[zone.action]} <code>{plusMinus(zone.addedCount, zone.removedCount)}</code>
        {mayStage && (
          <span className={look.end}>
            <DialogButton
              kind="quiet"
              aria-label={`Remove ${name}`}
              dialog={(close) => (
                <Question
                  title={`Remove ${name} from the change?`}
                  action="Remove"
                  byEnter
                  send={() => unstage(set, zone.zone)}
                  {...afterStep({
                    id: set.id,
                    done: `${name} is removed from the change.`,
                    onOutdated,
                    onEnd: close,
                  })}
                  onClose={close}
                >
                  What is staged for it goes with it.
                </Question>
              )}
            >
              Remove…
            </DialogButton>
          </span>
        )}
      </header>
      {zone.action !== "DELETE" && (
        <DifferenceList
          label={`Difference of ${name}`}
          lines={whole.data ?? changeLines(rowsOf(zone.rrsets?.nodes ?? []))}
          empty={conflicts.length > 0 ? "" : "Nothing is left to change in it."}
        />
      )}
      {isCut && (
        <p>
          The first 50 RRsets are shown.{" "}
          <Button busy={whole.isPending} onClick={() => whole.mutate()}>
            Show all
          </Button>
        </p>
      )}
      {conflicts.length > 0 && (
        <Conflicts set={set} zone={zone.zone} conflicts={conflicts} mayResolve={mayStage} onOutdated={onOutdated} />
      )}
      {refusals.map(({ owner, type, message }) => (
        <p key={`${owner} ${type} ${message}`} className={`${look.message} ${look.refusal}`}>
          {message}
        </p>
      ))}
      {notices.map(({ message }) => (
        <p key={message} className={look.message}>
          {message}
        </p>
      ))}
      {dropped.map((sentence) => (
        <p key={sentence} className={look.soft}>
          {sentence}
        </p>
      ))}
      {whole.error && <Refusal error={whole.error} />}
    </article>
  );
}

const zonePreviewQuery = graphql(`
  query ChangeSetZonePreview($id: ID!, $zoneAfter: String, $after: String) {
    changeSetPreview(id: $id) {
      fingerprint
      zones(first: 1, after: $zoneAfter) { nodes { rrsets(first: 500, after: $after) { ...RrsetDifferences } } }
    }
  }
`);

/** The whole difference of a zone; a page of the preview has its first 50 RRsets. */
async function readWholeZone(
  id: string,
  fingerprint: string,
  zoneAfter: string | null,
): Promise<readonly DifferenceLine[]> {
  let isAnother = false;
  const rrsets = await readAll(async (after) => {
    const { changeSetPreview } = await run(zonePreviewQuery, { id, zoneAfter, after });
    isAnother ||= changeSetPreview?.fingerprint !== fingerprint;
    return isAnother ? undefined : changeSetPreview?.zones?.nodes[0]?.rrsets;
  });
  if (!isAnother) return changeLines(rowsOf(rrsets));
  // Pages of another effect do not go with the one that is shown.
  await lookAgain(id);
  return [];
}

type Conflict = PreviewedZone["preview"]["conflicts"][number];

type Resolved = Pick<Conflict, "owner" | "type"> & { readonly resolution: Resolution };

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
    mutationFn: (resolved: Resolved) => resolveIn(set, { zone, ...resolved }),
    ...afterStep<Resolved>({
      id: set.id,
      done: ({ resolution, ...rrset }) => `${rrsetText(rrset) || zone} ${done[resolution]}`,
      onOutdated,
      // The buttons that had the focus are gone.
      onEnd: () => document.getElementById("page")?.focus(),
    }),
  });
  const { error, isPending } = resolving;
  const actions = ({ owner, type }: Conflict) => {
    const rrset = rrsetText({ owner, type });
    const button = (resolution: Resolution, words: string) => (
      <Button
        aria-label={`${words} ${rrset || unicodeText(zone)}`}
        busy={isPending}
        onClick={() => resolving.mutate({ owner, type, resolution })}
      >
        {words}
      </Button>
    );
    return (
      <div className={look.line}>
        {rrset && button("MINE", "Use mine")}
        {button("THEIRS", "Use theirs")}
      </div>
    );
  };
  return (
    <>
      <p>
        Somebody else changed the same since it was staged.
        {mayResolve && " Use what this change makes of it, which is to be approved again, or leave it as it is now."}
      </p>
      <RowTable
        label={`Conflicts in ${unicodeText(zone)}`}
        rows={conflicts}
        keyOf={rrsetText}
        columns={[
          ["Conflict", ({ message }) => message, { className: look.anywhere }],
          ["When staged", ({ base }) => <Lines lines={base} />, { className: line, label: "when staged" }],
          ["This change", ({ mine }) => <Lines lines={mine} />, { className: line, label: "this change" }],
          ["Now", ({ theirs, change }) => <Lines lines={theirs} change={change} />, { className: line, label: "now" }],
        ]}
        actionsClass={table.below}
        actions={mayResolve ? actions : undefined}
      />
      {error && !isOutdated(error) && <Refusal error={error} />}
    </>
  );
}

/** The owner and type of a conflict; empty where it is about the zone as a whole. */
const rrsetText = ({ owner, type }: Pick<Conflict, "owner" | "type">) => (owner === null ? "" : `${owner} ${type}`);

const line = `${look.mono} ${look.anywhere}`;

/** The lines of an RRset, and the change that made them so. */
function Lines({ lines, change }: { readonly lines: readonly string[]; readonly change?: Conflict["change"] }) {
  return (
    <>
      {lines.length === 0 ? "–" : lines.map((each) => <div key={each}>{each}</div>)}
      {change && (
        <Link to="/changes/$change" params={{ change: change.id }} title={fullAuthor(change)} className={look.small}>
          <span>
            by {authorName(change)}, <Ago time={change.createdAt} />
          </span>
        </Link>
      )}
    </>
  );
}
