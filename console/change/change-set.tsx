/**
 * One change set: what it is for, what it would do to each zone, what is in its way, and what was said of it.
 */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { follow } from "../api/events.ts";
import { graphql } from "../api/generated/gql.ts";
import { queries } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import {
  actionsOf,
  changeSetOptions,
  type PreviewedZone,
  previewOptions,
  type ShownSet,
  zonesOf,
} from "../changesets/queries.ts";
import { setStateWord } from "../changesets/set-state.tsx";
import { DifferenceHead } from "../difference/arrangement.tsx";
import { setLossWords } from "../difference/loss.ts";
import { useUndo } from "../history/undo.tsx";
import look from "../parts/look.module.css";
import { Reading } from "../parts/page/list.tsx";
import { More } from "../parts/page/more.tsx";
import { Loading, Page } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { keyName } from "../parts/text/author.ts";
import { counted } from "../parts/text/counted.ts";
import { Ago, Exact, utcText } from "../parts/text/time.tsx";
import { AppliedZones } from "./applied-zones.tsx";
import { approvalText, neededApprovals, outdatedApprovals } from "./approvals.ts";
import { ChangePage, Pill, Section } from "./change-page.tsx";
import { OnServers } from "./on-servers.tsx";
import { missedWords } from "./schedule.tsx";
import { useSetActions } from "./set-actions.tsx";
import { Timeline } from "./timeline.tsx";
import { ZoneDifference } from "./zone-difference.tsx";

export function ChangeSet({ id }: { readonly id: string }) {
  const query = useQuery(changeSetOptions(id));
  const { data: set } = query;
  if (!set)
    return (
      <Page title="Change">
        <Reading query={query} />
      </Page>
    );
  return <Shown key={id} set={set} />;
}

/** The states in which it has changed zones, or is about to. */
const begun: readonly ShownSet["state"][] = ["APPLYING", "APPLIED", "PARTIAL"];

function Shown({ set }: { readonly set: ShownSet }) {
  const isApplied = begun.includes(set.state);
  useSetEvents(set.id);
  const preview = useInfiniteQuery({ ...previewOptions(set.id, set.revision), enabled: !isApplied });
  const [outdated, setOutdated] = useState<string>();
  const pages = preview.data?.pages ?? [];
  const [first] = pages;
  const isTorn = pages.some(({ fingerprint }) => fingerprint !== first?.fingerprint);
  // The pages were read one after the other.
  const { refetch } = preview;
  useEffect(() => {
    if (isTorn) void refetch();
  }, [isTorn, refetch]);
  const shown = preview.isFetching && !preview.isFetchingNextPage ? undefined : first;
  const zones = zonesOf(pages);
  const isSpent = first !== undefined && !preview.hasNextPage && isNothingLeft(first, zones);
  const lossWords = first && setLossWords(first);
  const approvals = approvalText(set, first?.fingerprint);
  const isOutdated = outdatedApprovals(set, first?.fingerprint);
  const nextStep = nextStepOf(set, first?.fingerprint);
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
    draft: undefined,
    changeIds: changes.map(({ id }) => id),
  });
  const { more, action } = useSetActions({ set, shown, isSpent, onOutdated: setOutdated });
  return (
    <ChangePage
      title={set.title}
      facts={
        <>
          <Pill tone={tone}>
            {isOutdated ? "approved before it changed" : isUndone ? "undone" : setStateWord(set.state)}
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
            <Section title={set.state === "SCHEDULED" ? "Scheduled" : "Was scheduled"}>
              <p>
                <Exact time={set.applyAt} />
                <br />
                {utcText(set.applyAt)}
              </p>
              {set.state === "SCHEDULED" && first && (isOutdated || !first.applicable) && (
                <p>
                  <b>As it is now, it cannot be applied then.</b>
                </p>
              )}
              {set.state === "SCHEDULED" && set.onMissed && <p>If missed: {missedWords[set.onMissed]}</p>}
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
          <span>
            <b>Nothing was done.</b> {outdated} This is how it is now: look at it again.
          </span>
        </p>
      )}
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

/** Why the set was not applied at its time. */
function Failure({ failure: { at, message, reasons } }: { readonly failure: NonNullable<ShownSet["failure"]> }) {
  const others = reasons.filter((reason) => reason.message !== message);
  return (
    <section className={look.message} aria-label="What failed">
      <p>
        <b>It was not applied</b> <Ago time={at} />: {message}
      </p>
      {others.length > 0 && (
        <ul>
          {others.map((reason) => (
            <li key={reason.message}>{reason.message}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What a set would do to all of its zones. */
interface Effect {
  readonly applicable: boolean;
  readonly changedZoneCount: number;
  readonly addedCount: number;
  readonly removedCount: number;
}

/** Whether a set that may be applied would edit nothing; one that creates or deletes a zone without records does something. */
const isNothingLeft = ({ applicable, changedZoneCount }: Effect, zones: readonly PreviewedZone[]) =>
  applicable && changedZoneCount === 0 && zones.every(({ preview }) => preview.action === "EDIT");

function effectText({ applicable, changedZoneCount, addedCount, removedCount }: Effect, zoneCount: number): string {
  if (zoneCount === 0) return "Nothing is staged yet";
  if (changedZoneCount === 0 && !applicable) return "Nothing would change yet";
  return `${counted(changedZoneCount, "zone")} would change: ${countText(addedCount, removedCount)}`;
}

const countText = (added: number, removed: number) =>
  [added && `+${added}`, removed && `−${removed}`].filter(Boolean).join(" ") || "no records";

const followed = graphql(`
  subscription ChangeSetFollowed($id: ID!) {
    changeSetChanged(id: $id) { state revision updatedAt }
  }
`);

/** Follows a change set while its page is shown: whatever anybody does with it is read as it happens. */
function useSetEvents(id: string): void {
  useEffect(() => {
    const { queryKey } = changeSetOptions(id);
    const readAgain = () => void queries.invalidateQueries({ queryKey });
    return follow(
      followed,
      { id },
      {
        onEvent: ({ changeSetChanged: { state, revision, updatedAt } }) => {
          const shown = queries.getQueryData(queryKey);
          // The first event says how it is.
          if (shown?.state !== state || shown.revision !== revision || shown.updatedAt !== updatedAt) readAgain();
        },
        // Events may be missed before it is open, and when it ends.
        onFollowing: readAgain,
      },
    );
  }, [id]);
}

const persons = (count: number) => (count === 1 ? "one other person" : `${count} other persons`);

/** Who must do what with the change set next, as a sentence; the fingerprint is of what it would do, as far as that is read. */
function nextStepOf(set: ShownSet, fingerprint: string | undefined): string | undefined {
  const { state, user } = set;
  const needed = neededApprovals(set);
  const may = actionsOf(set);
  if (outdatedApprovals(set, fingerprint))
    return "What it would do now is not what was approved, so that it cannot be applied as it is. Its author takes it out of review, stages it as it is to be, and submits it again.";
  if (state === "DRAFT" && needed > 0 && may("SUBMIT"))
    return `It is a draft: submit it for review, and ${persons(needed)} must approve it before it is applied.`;
  if (state === "IN_REVIEW" && may("APPROVE"))
    return "It waits for you: look at what it does, then approve it, or request changes.";
  if (state === "IN_REVIEW") {
    const left = Math.max(1, needed - (set.approvalCount ?? 0));
    const owner = user ? `, ${user.email}, or somebody who reviews for them` : "";
    return `It waits until ${persons(left)} ${left === 1 ? "has" : "have"} approved it: an administrator${owner}, who neither created it nor staged in it. Then it can be applied.`;
  }
  if (state === "APPROVED" && may("APPLY")) return "It is approved, and waits to be applied or scheduled.";
  return undefined;
}
