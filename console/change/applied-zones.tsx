/**
 * The result of an applied change set: the change of each zone, its publication, and its records.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { lookAgain, type SetZone, type ShownSet } from "../changesets/queries.ts";
import { restageSet } from "../changesets/steps.ts";
import { DifferenceHead } from "../difference/arrangement.tsx";
import { DifferenceList } from "../difference/difference-list.tsx";
import { countsText, fold } from "../difference/fold.ts";
import { ChangeState } from "../history/change-state.tsx";
import { changeOptions } from "../history/queries.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Reading } from "../parts/page/list.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import table from "../parts/page/table.module.css";
import { Table } from "../parts/page/table.tsx";
import { counted } from "../parts/text/counted.ts";
import { unicodeText } from "../parts/text/names.ts";
import { ZoneName } from "./change-view.tsx";

/** The most zones whose differences are shown at once; of more, each is shown when it is asked for. */
const shownAtOnce = 10;

export function AppliedZones({ set }: { readonly set: ShownSet }) {
  const zones = set.zones?.nodes ?? [];
  const changed = zones.filter(({ change }) => change !== null);
  const total = set.zones?.totalCount ?? zones.length;
  return (
    <section aria-label="What it did" className={look.stack}>
      <DifferenceHead isSwitched={changed.length > 0}>
        <h2 aria-live="polite">
          {counted(Math.max(changed.length, publishedCount(set)), "zone")} changed{publishedText(set)}
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

/** The outcome of a zone without a change. */
const outcomeWords = {
  APPLIED: "",
  UNCHANGED: "was like this already",
  REFUSED: "refused",
  PENDING: "not yet",
} as const;

/** How many changes are published, or on their way. */
const publishedCount = ({ publication }: ShownSet) =>
  publication ? publication.live + publication.pending + publication.late : 0;

function publishedText(set: ShownSet): string {
  const { publication } = set;
  if (!publication || publication.state === "UNSERVED") return "";
  const { live, pending, late } = publication;
  const others = [pending && `${pending} on its way`, late && `${late} late`].filter(Boolean);
  return [`, live on ${live} of ${publishedCount(set)}`, ...others].join(", ");
}

interface AppliedZoneProps {
  readonly zone: SetZone;
  /** Whether its difference is shown without being asked for. */
  readonly isShown: boolean;
}

/** What was done to a zone. */
function AppliedZone({ zone: { zone, change, outcome }, isShown }: AppliedZoneProps) {
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
  const lines = query.data && fold([query.data.records]);
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

/**
 * How many zones of a change set are applied, where each zone changes for itself; and the refused zones, with
 * the way to stage them again.
 */
function SetProgress({ set }: { readonly set: ShownSet }) {
  const { zones = 0, applied = 0, refused = 0 } = set.progress ?? {};
  if (set.state !== "APPLYING" && refused === 0) return null;
  const done = applied + refused;
  return (
    <>
      <p aria-live="polite">
        <progress max={zones} value={done} aria-label="Zones that are done" />{" "}
        {`${done.toLocaleString()} of ${counted(zones, "zone")} done`}
        {refused > 0 && `, ${refused.toLocaleString()} refused`}
      </p>
      {refused > 0 && <RefusedZones set={set} count={refused} />}
    </>
  );
}

function RefusedZones({ set, count }: { readonly set: ShownSet; readonly count: number }) {
  const { readOnly } = useViewer();
  const navigate = useNavigate();
  const zones = set.refused?.nodes ?? [];
  const restaging = useMutation({
    mutationFn: () => restageSet(set.id),
    onSuccess: async (id) => {
      announceResult("What was refused is staged again, in a change set of its own.");
      void lookAgain(id);
      await navigate({ to: "/changes/$change", params: { change: id } });
    },
  });
  return (
    <>
      <Table label="Refused zones" headings={["Refused zone", "Why"]}>
        {zones.map(({ zone, domain, reasons }) => (
          <tr key={zone}>
            <td className={table.name}>
              {domain ? (
                <Link to="/zones/$zone" params={{ zone }}>
                  {unicodeText(zone)}
                </Link>
              ) : (
                unicodeText(zone)
              )}
            </td>
            <td className={look.anywhere}>{reasons.map(({ message }) => message).join(" ")}</td>
          </tr>
        ))}
      </Table>
      {count > zones.length && (
        <p>
          The first {zones.length} of {count.toLocaleString()} refused zones are shown.
        </p>
      )}
      {restaging.error && <Refusal error={restaging.error} />}
      {set.state === "PARTIAL" && !readOnly && (
        <p>
          <Button busy={restaging.isPending} onClick={() => restaging.mutate()}>
            Stage the refused ones again
          </Button>
        </p>
      )}
    </>
  );
}
