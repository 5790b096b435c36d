/** One change set: what it is for, what it would do to each zone, what is in its way, and what was said of it. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { collected, follow } from "../api/events.ts";
import type { ChangeSetFollowedSubscription } from "../api/generated/graphql.ts";
import { queries } from "../api/queries.ts";
import { graphql, run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import {
  actionsOf,
  changeSetOptions,
  lookAgain,
  previewOptions,
  type SetPreview,
  type ShownSet,
  stateWords,
  zonesOf,
} from "../changesets/queries.ts";
import { plusMinus } from "../difference/difference.ts";
import { DifferenceHead } from "../difference/difference-list.tsx";
import { setLossWords } from "../difference/loss.ts";
import { useUndo } from "../history/undo.tsx";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { More, Read } from "../parts/page/list.tsx";
import { Loading, Refusal } from "../parts/page/page.tsx";
import { keyName } from "../parts/text/author.ts";
import { counted } from "../parts/text/counted.ts";
import { Ago, Exact, utcText } from "../parts/text/time.tsx";
import { AppliedZones } from "./applied-zones.tsx";
import { ChangePage, Pill, Section, Timeline } from "./change-page.tsx";
import { OnServers } from "./on-servers.tsx";
import { approvalsOf, missedWords, useSetActions } from "./set-actions.tsx";
import { ZoneDifference } from "./zone-difference.tsx";

export function ChangeSet({ id }: { readonly id: string }) {
  return (
    <Read query={useQuery(changeSetOptions(id))} title="Change">
      {(set) => <Shown key={id} set={set} />}
    </Read>
  );
}

function Shown({ set }: { readonly set: ShownSet }) {
  // It has changed zones, or is about to.
  const isApplied = set.state === "APPLYING" || set.state === "APPLIED" || set.state === "PARTIAL";
  const isScheduled = set.state === "SCHEDULED";
  useSetEvents(set.id);
  const preview = useInfiniteQuery({ ...previewOptions(set.id, set.revision), enabled: !isApplied });
  const [outdated, setOutdated] = useState<string>();
  const pages = preview.data?.pages ?? [];
  const [first] = pages;
  // The pages were read one after the other.
  const isTorn = pages.some(({ fingerprint }) => fingerprint !== first?.fingerprint);
  const { refetch } = preview;
  useEffect(() => {
    if (isTorn) void refetch();
  }, [isTorn, refetch]);
  const zones = zonesOf(pages);
  // One that creates or deletes a zone without records does something.
  const isSpent =
    first?.applicable === true &&
    first.changedZoneCount === 0 &&
    !preview.hasNextPage &&
    zones.every(({ preview: { action } }) => action === "EDIT");
  const lossWords = first && setLossWords(first);
  const { isOutdated, text: approvals, nextStep } = approvalsOf(set, first?.fingerprint);
  const may = actionsOf(set);
  const isMine = (set.state === "IN_REVIEW" && may("APPROVE")) || (set.state === "APPROVED" && may("APPLY"));
  const tone = isOutdated || set.state === "PARTIAL" ? "late" : isMine ? "you" : undefined;
  const { readOnly } = useViewer();
  const changes = set.zones?.nodes.flatMap(({ change }) => change ?? []) ?? [];
  const isUndone = changes.length > 0 && changes.every(({ undoneBy }) => undoneBy !== null);
  const mayUndo = !readOnly && !isUndone && set.appliedAt !== null && changes.length > 0;
  const undo = useUndo({
    by: { changeSetId: set.id },
    title: set.title,
    changeIds: changes.map(({ id }) => id),
  });
  const shown = preview.isFetching && !preview.isFetchingNextPage ? undefined : first;
  const { more, action } = useSetActions({ set, shown, isSpent, onOutdated: setOutdated });
  return (
    <ChangePage
      title={set.title}
      facts={
        <>
          <Pill tone={tone}>
            {isOutdated ? "approved before it changed" : isUndone ? "undone" : stateWords[set.state]}
          </Pill>
          <span title={set.author}>
            written by {keyName(set.author)}, <Ago time={set.createdAt} />
          </span>
          {set.appliedAt && (
            <span>
              applied{set.appliedBy && ` by ${keyName(set.appliedBy)}`}, <Ago time={set.appliedAt} />
            </span>
          )}
        </>
      }
      more={more}
      action={mayUndo ? undo.button : action}
      aside={
        <>
          {isApplied && <OnServers id={set.id} />}
          {set.applyAt && !isApplied && (
            <Section title={isScheduled ? "Scheduled" : "Was scheduled"}>
              <p>
                <Exact time={set.applyAt} />
                <br />
                {utcText(set.applyAt)}
              </p>
              {isScheduled && first && (isOutdated || !first.applicable) && (
                <p>
                  <b>As it is now, it cannot be applied then.</b>
                </p>
              )}
              {isScheduled && set.onMissed && <p>If missed: {missedWords[set.onMissed]}</p>}
            </Section>
          )}
          {(approvals || nextStep) && (
            <Section title="Review">
              {approvals && <p>{approvals}</p>}
              {nextStep && <p>{nextStep}</p>}
            </Section>
          )}
          {set.user && (
            <Section title="Owner">
              <p>{set.user.email}</p>
            </Section>
          )}
        </>
      }
    >
      {undo.question}
      {set.description && <p>{set.description}</p>}
      {set.failure && <Failure failure={set.failure} />}
      {outdated && (
        <p role="alert" className={look.message}>
          <b>Nothing was done.</b> {outdated} This is how it is now: look at it again.
        </p>
      )}
      {first && !isApplied && <ZonesChanged key={first.fingerprint} set={set} fingerprint={first.fingerprint} />}
      {isApplied ? (
        <AppliedZones set={set} />
      ) : (
        <section aria-label="What it does" className={look.stack}>
          {preview.error && <Refusal error={preview.error} onRetry={() => void refetch()} />}
          {!first && !preview.error && <Loading what="Asking the service for the difference…" />}
          {first && (
            <DifferenceHead isSwitched={zones.some(({ preview: { action } }) => action !== "DELETE")}>
              <h2>{isSpent ? "Nothing would change" : effectText(first, zones.length)}</h2>
            </DifferenceHead>
          )}
          {isSpent && <p>The zones have all of it already, or it was left out: stage more in it, or cancel it.</p>}
          {lossWords && <p className={look.message}>It would {lossWords}.</p>}
          {first && zones.length === 0 && (
            <p>
              Open a zone in <Link to="/zones">the list of zones</Link>, edit it, and ask for review there: the edits
              can join this change.
            </p>
          )}
          {first && zones.length > 0 && !first.applicable && (
            <p>Something is in the way of it, as it says at the zone; until then it cannot be applied.</p>
          )}
          {zones.map(({ preview: zone, after }) => (
            <ZoneDifference
              key={zone.zone}
              set={set}
              zone={zone}
              fingerprint={first?.fingerprint ?? ""}
              after={after}
              onOutdated={setOutdated}
            />
          ))}
          <More query={preview} what="zones" />
        </section>
      )}
      <Timeline set={set} />
    </ChangePage>
  );
}

function Failure({ failure: { at, message, reasons } }: { readonly failure: NonNullable<ShownSet["failure"]> }) {
  const others = reasons.filter((reason) => reason.message !== message);
  return (
    <section className={look.message} aria-label="What failed">
      <p>
        <b>It was not applied</b> <Ago time={at} />: {message}
      </p>
      {others.map((reason) => (
        <p key={reason.message}>{reason.message}</p>
      ))}
    </section>
  );
}

function effectText({ applicable, changedZoneCount, ...counts }: SetPreview, zoneCount: number): string {
  if (zoneCount === 0) return "Nothing is staged yet";
  if (changedZoneCount === 0 && !applicable) return "Nothing would change yet";
  return `${counted(changedZoneCount, "zone")} would change: ${plusMinus(counts.addedCount, counts.removedCount)}`;
}

const followed = graphql(`
  subscription ChangeSetFollowed($id: ID!) {
    changeSetChanged(id: $id) { state revision updatedAt timeline(last: 1) { nodes { createdAt } } }
  }
`);

/** What each event of a set changes something of. */
const markOf = (set: ChangeSetFollowedSubscription["changeSetChanged"] | undefined) =>
  set && [set.state, set.revision, set.updatedAt, set.timeline?.nodes.at(-1)?.createdAt].join(" ");

/** Follows a change set while its page is shown: whatever anybody does with it is read as it happens. */
function useSetEvents(id: string): void {
  useEffect(() => {
    const { queryKey } = changeSetOptions(id);
    const readAgain = () => void queries.invalidateQueries({ queryKey });
    const sink = {
      onEvent: ({ changeSetChanged }: ChangeSetFollowedSubscription) => {
        // The first event says how it is.
        if (markOf(queries.getQueryData(queryKey)) !== markOf(changeSetChanged)) readAgain();
      },
      // Events may be missed before it is open, and when it ends.
      onFollowing: readAgain,
    };
    return follow(followed, { id }, sink);
  }, [id]);
}

const zonesFollowed = graphql(`subscription ZonesOfSetFollowed { domainChanged { change { zone } } }`);

const effect = graphql(`query EffectOfSet($id: ID!) { changeSetPreview(id: $id) { fingerprint } }`);

/** How long changes are collected before the set is looked at, ms. */
const pauseMs = 1000;

/** Says that others changed the zones since the effect was read; what is on the screen is not replaced under its reader. */
function ZonesChanged({ set, fingerprint }: { readonly set: ShownSet; readonly fingerprint: string }) {
  const [present, setPresent] = useState(fingerprint);
  const { id } = set;
  const names = set.zones?.nodes.map(({ zone }) => zone).join(" ") ?? "";
  useEffect(() => {
    const zones = new Set(names.split(" "));
    const ask = async () => {
      const { changeSetPreview } = await run(effect, { id });
      if (changeSetPreview) setPresent(changeSetPreview.fingerprint);
    };
    // A set that cannot be looked at now is looked at with the next change.
    const asking = collected(pauseMs, () => void ask().catch(() => {}));
    const stop = follow(
      zonesFollowed,
      {},
      {
        onEvent: ({ domainChanged: { change } }) => zones.has(change.zone) && asking.begin(),
        // Changes may be missed before it is open.
        onFollowing: (follows) => follows && asking.begin(),
      },
    );
    return () => {
      stop();
      asking.stop();
    };
  }, [id, names]);
  if (present === fingerprint) return null;
  return (
    <p role="status" className={`${look.message} ${look.line}`}>
      Others changed its zones since: it would do something else by now.
      <Button onClick={() => lookAgain(id)}>Look again</Button>
    </p>
  );
}
