/**
 * What a change set would do to one zone: the difference, and what is in its way.
 */
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { DifferenceList } from "../difference/difference-list.tsx";
import { Button } from "../parts/button.tsx";
import field from "../parts/field.module.css";
import { unicodeText } from "../parts/names.ts";
import page from "../parts/page.module.css";
import { Refusal } from "../parts/refusal.tsx";
import table from "../parts/table.module.css";
import { Conflicts } from "./conflicts.tsx";
import { linesOf, lookAgain, type PreviewedZone, type ShownSet } from "./queries.ts";
import { isOutdated, unstage } from "./steps.ts";
import { readWholeZone } from "./whole-zone.ts";

interface ZoneDifferenceProps {
  readonly set: ShownSet;
  readonly zone: PreviewedZone["preview"];
  readonly fingerprint: string;
  /** The cursor of the zone before it. */
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
  const { conflicts, refusals, warnings, dropped } = zone;
  const whole = useMutation({ mutationFn: () => readWholeZone(set.id, fingerprint, after) });
  const taking = useMutation({
    mutationFn: () => unstage(set, zone.zone),
    onError: (error) => {
      if (isOutdated(error)) onOutdated(error.message);
    },
    onSettled: () => lookAgain(set.id),
  });
  const name = unicodeText(zone.zone);
  const mayStage = set.can?.includes("STAGED") === true;
  const isCut = zone.rrsets?.pageInfo.hasNextPage === true && !whole.data;
  const counts = [zone.addedCount && `+${zone.addedCount}`, zone.removedCount && `−${zone.removedCount}`];
  const heading = (
    <>
      <h3 className={table.wide}>
        {zone.serial === null ? (
          name
        ) : (
          <Link to="/zones/$zone" params={{ zone: zone.zone }}>
            {name}
          </Link>
        )}{" "}
        {actionWords[zone.action]} {counts.filter(Boolean).join(" ")}
      </h3>
      {mayStage && (
        <Button kind="quiet" aria-label={`Take out ${name}`} busy={taking.isPending} onClick={() => taking.mutate()}>
          Take out
        </Button>
      )}
    </>
  );
  return (
    <article className={page.panel} aria-label={name}>
      {zone.action === "DELETE" ? (
        <header className={page.panelHead}>{heading}</header>
      ) : (
        <DifferenceList
          label={`Difference of ${name}`}
          lines={whole.data ?? linesOf(zone.rrsets)}
          empty={conflicts.length > 0 ? "" : "Nothing is left to change in it."}
        >
          {heading}
        </DifferenceList>
      )}
      {isCut && (
        <p>
          The first 50 RRsets are shown.{" "}
          <Button busy={whole.isPending} onClick={() => whole.mutate()}>
            Show all
          </Button>
        </p>
      )}
      {taking.error && !isOutdated(taking.error) && <Refusal error={taking.error} />}
      {conflicts.length > 0 && (
        <Conflicts set={set} zone={zone.zone} conflicts={conflicts} mayResolve={mayStage} onOutdated={onOutdated} />
      )}
      {refusals.map(({ owner, type, message }) => (
        <p key={`${owner} ${type} ${message}`} className={field.error}>
          ✕ {message}
        </p>
      ))}
      {warnings.map((warning) => (
        <p key={warning}>⚠ {warning}</p>
      ))}
      {dropped.map((sentence) => (
        <p key={sentence} className={table.soft}>
          {sentence}
        </p>
      ))}
      {whole.error && <Refusal error={whole.error} />}
    </article>
  );
}
