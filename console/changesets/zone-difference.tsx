/**
 * What a change set would do to one zone: the difference, and what is in its way.
 */
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { DifferenceList } from "../difference/difference-list.tsx";
import { Button } from "../parts/button.tsx";
import field from "../parts/field.module.css";
import { unicodeText } from "../parts/names.ts";
import page from "../parts/page.module.css";
import { Refusal } from "../parts/refusal.tsx";
import table from "../parts/table.module.css";
import { Conflicts } from "./conflicts.tsx";
import { linesOf, type PreviewedZone, type ShownSet } from "./queries.ts";
import { TakeOut } from "./take-out.tsx";
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
  const { conflicts, refusals, notices, dropped } = zone;
  const whole = useMutation({ mutationFn: () => readWholeZone(set.id, fingerprint, after) });
  const [isTaking, setTaking] = useState(false);
  const name = unicodeText(zone.zone);
  const mayStage = set.availableActions?.includes("STAGE") === true;
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
        <Button kind="quiet" aria-label={`Take out ${name}`} onClick={() => setTaking(true)}>
          Take out…
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
      {isTaking && <TakeOut set={set} zone={zone.zone} onOutdated={onOutdated} onClose={() => setTaking(false)} />}
      {conflicts.length > 0 && (
        <Conflicts set={set} zone={zone.zone} conflicts={conflicts} mayResolve={mayStage} onOutdated={onOutdated} />
      )}
      {refusals.map(({ owner, type, message }) => (
        <p key={`${owner} ${type} ${message}`} className={field.error}>
          ✕ {message}
        </p>
      ))}
      {notices.map(({ message }) => (
        <p key={message}>⚠ {message}</p>
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
