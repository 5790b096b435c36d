/**
 * What two moments of a zone differ by, each line with the change that made it so.
 */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { MomentInput } from "../api/generated/graphql.ts";
import { nextPage } from "../api/pages.ts";
import { run } from "../api/run.ts";
import { DifferenceHead } from "../difference/arrangement.tsx";
import type { DifferenceRow } from "../difference/difference.ts";
import { DifferenceList } from "../difference/difference-list.tsx";
import { countsText, fold } from "../difference/fold.ts";
import { rowsOf } from "../difference/rrset-rows.ts";
import { buttonClass, IconButton } from "../parts/control/button.tsx";
import { Icon } from "../parts/control/icon.tsx";
import page from "../parts/page/page.module.css";
import { Loading } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import table from "../parts/page/table.module.css";
import { Exact, exactText } from "../parts/text/time.tsx";
import { Blame } from "./moment/blame.tsx";
import { type Author, readMoment } from "./moment/moment.ts";
import { MomentLink } from "./moment/places.tsx";

interface ComparisonProps {
  readonly zone: string;
  /** As addresses name moments. */
  readonly from: string;
  readonly to: number;
  readonly onClose: () => void;
}

export function Comparison({ zone, from, to, onClose }: ComparisonProps) {
  const { serial } = readMoment(from) ?? {};
  const [older, newer] = serial != null && serial > to ? [String(to), serial] : [from, to];
  const { data, error } = useQuery(comparisonOptions(zone, readMoment(older) as MomentInput, newer));
  const { lines = [], blames } = data ?? {};
  const heading = useRef<HTMLHeadingElement>(null);
  // The two may have been chosen far below.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever two others are compared
  useEffect(() => heading.current?.focus(), [older, newer]);
  return (
    <section className={page.panel} aria-label="Comparison">
      <header className={page.panelHead}>
        <h2 ref={heading} tabIndex={-1}>
          {serial == null ? exactText(older) : older} → {newer}
          {data && `: ${countsText(lines)}`}
        </h2>
        <a
          href={`/api/domain/diff/${encodeURIComponent(zone)}?from=${encodeURIComponent(older)}&to=${newer}`}
          download={`${zone}-${data?.from?.serial ?? "created"}-${newer}.diff`}
          className={buttonClass("quiet")}
        >
          <Icon name="download" /> Download
        </a>
        <IconButton icon="close" label="Close the comparison" onClick={onClose} />
      </header>
      {error && <Refusal error={error} />}
      {!data && !error && <Loading />}
      {data && (
        <DifferenceHead isSwitched={lines.length > 0}>
          <p className={table.soft}>
            {data.from ? <Side zone={zone} change={data.from} /> : "Before the zone was created"} →{" "}
            <Side zone={zone} change={data.to} />
          </p>
        </DifferenceHead>
      )}
      {data && !data.isWhole && <p>The serials differ by more records than are shown here; the download has all.</p>}
      {data && (
        <DifferenceList
          lines={lines}
          empty="Only the serial differs."
          blame={({ row }) => <Blame change={blames?.get(row)} />}
        />
      )}
    </section>
  );
}

/** One of the two moments. */
function Side({ zone, change }: { readonly zone: string; readonly change: Author }) {
  return (
    <>
      <MomentLink past={{ zone }} moment={String(change.serial)}>
        {change.serial}
      </MomentLink>{" "}
      as of <Exact time={change.createdAt} />
    </>
  );
}

const difference = graphql(`
  query Comparison($zone: String!, $from: MomentInput!, $to: Serial!, $after: String) {
    domain(by: { zone: $zone }) {
      diff(from: $from, to: { serial: $to }) {
        from { change { ...Author } }
        to { change { ...Author } }
        rrsets(first: 200, after: $after) {
          nodes {
            owner type
            lines {
              op recordId ttl rdata
              change { ...Author }
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

/** Rows of one side that are read at most; beyond, the difference is shown in part. */
const maxRows = 5000;

const readPage = async (
  variables: { readonly zone: string; readonly from: MomentInput; readonly to: number; readonly after: string | null },
  signal: AbortSignal,
) => {
  const { domain } = await run(difference, variables, signal);
  return domain?.diff as NonNullable<NonNullable<typeof domain>["diff"]>;
};

/**
 * What a zone differs by from a moment to a serial, up to a limit, with the change that removed or added each row. The moment is null where
 * the zone was not created then yet.
 */
const comparisonOptions = (zone: string, from: MomentInput, to: number) =>
  queryOptions({
    queryKey: ["comparison", zone, from, to],
    queryFn: async ({ signal }) => {
      const first = await readPage({ zone, from, to, after: null }, signal);
      const blames = new Map<DifferenceRow, Author | null | undefined>();
      const added: DifferenceRow[] = [];
      const removed: DifferenceRow[] = [];
      let page = first.rrsets;
      for (;;) {
        const rows = rowsOf(page?.nodes ?? [], (row, line) => blames.set(row, line.change));
        added.push(...rows.added);
        removed.push(...rows.removed);
        const after = nextPage(page);
        if (after === undefined || Math.max(added.length, removed.length) >= maxRows) {
          const lines = fold([{ added, removed }]);
          return { from: first.from?.change ?? null, to: first.to.change, lines, blames, isWhole: after === undefined };
        }
        page = (await readPage({ zone, from, to, after }, signal)).rrsets;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
