/** What two moments of a zone differ by, each line with the change that made it so. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { MomentInput } from "../api/generated/graphql.ts";
import { countsText } from "../difference/difference.ts";
import { DifferenceHead, DifferenceList } from "../difference/difference-list.tsx";
import { buttonClass, Icon, IconButton } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Reading } from "../parts/page/list.tsx";
import { Exact, momentText } from "../parts/text/time.tsx";
import { Blame } from "./moment/blame.tsx";
import { type Author, readMoment } from "./moment/moment.ts";
import { comparisonOptions } from "./moment/queries.ts";

interface ComparisonProps {
  readonly zone: string;
  /** As addresses name moments. */
  readonly from: string;
  readonly to: number;
  readonly onClose: () => void;
}

export function Comparison({ zone, from, to, onClose }: ComparisonProps) {
  const moment = readMoment(from) as MomentInput;
  const { data, error } = useQuery(comparisonOptions(zone, moment, to));
  const heading = useRef<HTMLHeadingElement>(null);
  // The two may have been chosen far below.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever two others are compared
  useEffect(() => heading.current?.focus(), [from, to]);
  return (
    <section className={look.stack} aria-label="Comparison">
      <header className={look.line}>
        <h2 ref={heading} tabIndex={-1} className={look.grow}>
          {moment.time ? momentText(from) : from} → {to}
          {data && `: ${countsText(data.lines)}`}
        </h2>
        <a
          href={`/api/domain/diff/${encodeURIComponent(zone)}?from=${encodeURIComponent(from)}&to=${to}`}
          download={`${zone}-${data?.from?.serial ?? "created"}-${to}.diff`}
          className={buttonClass("quiet")}
        >
          <Icon name="download" /> Download
        </a>
        <IconButton icon="close" label="Close the comparison" onClick={onClose} />
      </header>
      {data ? (
        <>
          <DifferenceHead isSwitched={data.lines.length > 0}>
            <p className={look.soft}>
              {data.from ? <Side zone={zone} change={data.from} /> : "Before the zone was created"} →{" "}
              <Side zone={zone} change={data.to} />
            </p>
          </DifferenceHead>
          {!data.isWhole && <p>The serials differ by more records than are shown here; the download has all.</p>}
          <DifferenceList
            lines={data.lines}
            empty="Only the serial differs."
            blame={({ row }) => <Blame change={data.blames.get(row)} />}
          />
        </>
      ) : (
        <Reading query={{ error }} />
      )}
    </section>
  );
}

/** One of the two moments. */
function Side({ zone, change }: { readonly zone: string; readonly change: Author }) {
  return (
    <>
      <Link to="/zones/$zone/history/$moment" params={{ zone, moment: String(change.serial) }}>
        {change.serial}
      </Link>{" "}
      as of <Exact time={change.createdAt} />
    </>
  );
}
