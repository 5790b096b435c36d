/** The result of an applied change set: the change of each zone, its publication, and its records. */
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { SetZone, ShownSet } from "../changesets/queries.ts";
import { changeLines, countsText } from "../difference/difference.ts";
import { DifferenceHead, DifferenceList } from "../difference/difference-list.tsx";
import { ChangeState } from "../history/change-state.tsx";
import { changeOptions } from "../history/queries.ts";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Reading, RowTable } from "../parts/page/list.tsx";
import table from "../parts/page/table.module.css";
import { counted } from "../parts/text/counted.ts";
import { unicodeText } from "../parts/text/names.ts";
import { ZoneName } from "./change-page.tsx";

/** The most zones whose differences are shown at once; of more, each is shown when it is asked for. */
const shownAtOnce = 10;

export function AppliedZones({ set }: { readonly set: ShownSet }) {
  const zones = set.zones?.nodes ?? [];
  const changed = zones.filter(({ change }) => change !== null);
  const total = set.zones?.totalCount ?? zones.length;
  // Also of zones that are not listed.
  const { live, pending, late } = set.publication ?? { live: 0, pending: 0, late: 0 };
  return (
    <section aria-label="What it did" className={look.stack}>
      <DifferenceHead isSwitched={changed.length > 0}>
        <h2 aria-live="polite">
          {counted(Math.max(changed.length, live + pending + late), "zone")} changed{publishedText(set)}
        </h2>
      </DifferenceHead>
      <SetProgress set={set} />
      {zones.map((zone) => (
        <AppliedZone key={zone.zone} zone={zone} isShown={changed.length <= shownAtOnce} />
      ))}
      {total > zones.length && (
        <p>
          The first {zones.length} of {total} zones are shown.
        </p>
      )}
    </section>
  );
}

const outcomeWords = {
  APPLIED: "",
  UNCHANGED: "was like this already",
  REFUSED: "refused",
  PENDING: "not yet",
} as const;

function publishedText({ publication }: ShownSet): string {
  if (!publication || publication.state === "UNSERVED") return "";
  const { live, pending, late } = publication;
  const others = [pending && `${pending} on its way`, late && `${late} late`].filter(Boolean);
  return [`, live on ${live} of ${live + pending + late}`, ...others].join(", ");
}

/** What was done to a zone; `isShown` says that its difference is shown without being asked for. */
function AppliedZone({ zone: { zone, change, outcome }, isShown }: { zone: SetZone; isShown: boolean }) {
  const isNamed = useLocation({ select: ({ hash }) => hash === zone });
  const [isOpen, setOpen] = useState(isShown || isNamed);
  const query = useQuery({ ...changeOptions(change?.id ?? ""), enabled: change !== null && isOpen });
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNamed) article.current?.scrollIntoView();
  }, [isNamed]);
  const name = unicodeText(zone);
  if (!change)
    return (
      <p>
        {name} {outcomeWords[outcome ?? "PENDING"]}
      </p>
    );
  const lines = query.data && changeLines(query.data.records);
  return (
    <article ref={article} aria-label={name} className={look.stack}>
      <header className={look.line}>
        <ZoneName change={{ zone, ...change }} counts={lines && countsText(lines)} />
        <ChangeState change={change} />
        {!isOpen && (
          <span className={look.end}>
            <Button onClick={() => setOpen(true)}>Show</Button>
          </span>
        )}
      </header>
      {isOpen && !lines && <Reading query={query} />}
      {lines && <DifferenceList label={`Difference of ${name}`} lines={lines} empty="Only the serial differs." />}
    </article>
  );
}

/** How many zones of a set are applied, where each zone changes for itself; and the refused ones. */
function SetProgress({ set }: { readonly set: ShownSet }) {
  const { zones = 0, applied = 0, refused = 0 } = set.progress ?? {};
  if (set.state !== "APPLYING" && refused === 0) return null;
  const named = set.refused?.nodes ?? [];
  return (
    <>
      <p aria-live="polite">
        <progress max={zones} value={applied + refused} aria-label="Zones that are done" />{" "}
        {`${(applied + refused).toLocaleString()} of ${counted(zones, "zone")} done`}
        {refused > 0 && `, ${refused.toLocaleString()} refused`}
      </p>
      {refused > 0 && (
        <RowTable
          label="Refused zones"
          rows={named}
          keyOf={({ zone }) => zone}
          columns={[
            [
              "Refused zone",
              ({ zone, domain }) =>
                domain ? (
                  <Link to="/zones/$zone" params={{ zone }}>
                    {unicodeText(zone)}
                  </Link>
                ) : (
                  unicodeText(zone)
                ),
              { className: table.name },
            ],
            ["Why", ({ reasons }) => reasons.map(({ message }) => message).join(" "), { className: look.anywhere }],
          ]}
        />
      )}
      {refused > named.length && (
        <p>
          The first {named.length} of {refused.toLocaleString()} refused zones are shown.
        </p>
      )}
    </>
  );
}
