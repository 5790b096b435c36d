/** What a change set would do to one zone: the difference, and what is in its way. */
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { readAll } from "../api/pages.ts";
import { run } from "../api/run.ts";
import { actionsOf, lookAgain, type PreviewedZone, type ShownSet } from "../changesets/queries.ts";
import { isOutdated, type SetAtRevision, unstage } from "../changesets/steps.ts";
import { changeLines, type DifferenceLine, plusMinus } from "../difference/difference.ts";
import { DifferenceList } from "../difference/difference-list.tsx";
import { rowsOf } from "../difference/rrset-rows.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Question } from "../parts/page/form-dialog.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { unicodeText } from "../parts/text/names.ts";
import { Conflicts } from "./conflicts.tsx";
import type { StepEnd } from "./step-dialog.tsx";

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
  const [isTaking, setTaking] = useState(false);
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
            <Button kind="quiet" aria-label={`Remove ${name}`} onClick={() => setTaking(true)}>
              Remove…
            </Button>
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
      {isTaking && <TakeOut set={set} zone={zone.zone} onOutdated={onOutdated} onClose={() => setTaking(false)} />}
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

function TakeOut({ set, zone, onOutdated, onClose }: StepEnd & { set: SetAtRevision; zone: string }) {
  const name = unicodeText(zone);
  const send = async () => {
    try {
      await unstage(set, zone);
      announceResult(`${name} is removed from the change.`);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      onOutdated(error.message);
    } finally {
      await lookAgain(set.id);
    }
  };
  return (
    <Question
      title={`Remove ${name} from the change?`}
      action="Remove"
      byEnter
      send={send}
      onSent={onClose}
      onClose={onClose}
    >
      What is staged for it goes with it.
    </Question>
  );
}

const zonePreviewQuery = graphql(`
  query ChangeSetZonePreview($id: ID!, $zoneAfter: String, $after: String) {
    changeSetPreview(id: $id) {
      fingerprint
      zones(first: 1, after: $zoneAfter) {
        nodes { rrsets(first: 500, after: $after) { ...RrsetDifferences } }
      }
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
