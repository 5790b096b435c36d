/**
 * The records of a zone at a moment, as a sheet shows them: by name, each with what it is now and with the change that made it so.
 */
import { useState } from "react";
import type { DifferenceLine } from "../../difference/difference.ts";
import { Button } from "../../parts/control/button.tsx";
import look from "../../parts/look.module.css";
import { More } from "../../parts/page/list.tsx";
import { Named, OfZone } from "../../parts/page/named.tsx";
import { Bar, Chips, Counted, Empty, Filter } from "../../parts/page/page.tsx";
import grid from "../../sheet/grid/grid.module.css";
import { matcher } from "../../sheet/view/filter.ts";
import { Blame } from "./blame.tsx";
import css from "./moment.module.css";
import type { Author } from "./moment.ts";
import type { PastRecord } from "./queries.ts";

/** Which records of a moment are shown. */
export interface MomentSearch {
  /** A part of the name or the data. */
  readonly q?: string | undefined;
  readonly show?: "differs" | "here" | undefined;
}

interface PastRecordsProps {
  readonly zone: string;
  /** With its records in the order of the sheet. */
  readonly moment: { readonly change: Author; readonly records: readonly PastRecord[]; readonly total: number };
  /** What differs from now; undefined where it is not known. */
  readonly differing: readonly DifferenceLine[] | undefined;
  /** Whether the records of another moment are on their way. */
  readonly isBusy: boolean;
  readonly search: MomentSearch;
  readonly onSearch: (search: MomentSearch) => void;
}

/** Rows that are drawn at once. */
const drawn = 300;

export function PastRecords({ zone, moment, differing, isBusy, search, onSearch }: PastRecordsProps) {
  const { change, records: rows, total } = moment;
  const { q = "", show } = search;
  const [limit, setLimit] = useState(drawn);
  const now = nowOf(differing ?? []);
  const isHere = ({ blame }: PastRecord) => blame?.id === change.id;
  const differs = ({ recordId }: PastRecord) => now.has(recordId);
  const matches = matcher({ text: q, type: "", show: "all" }, zone);
  const shown = rows.filter(
    (row) => (show === "differs" ? differs(row) : show !== "here" || isHere(row)) && matches(row),
  );
  const usual = usualTtl(rows);
  const chips = [
    { value: "all", word: "All", count: total },
    { value: "differs", word: "Differs from now", count: rows.filter(differs).length },
    { value: "here", word: "Changed here", count: rows.filter(isHere).length },
  ] as const;
  const choose = (changed: MomentSearch) => {
    setLimit(drawn);
    onSearch({ ...search, ...changed });
  };
  return (
    <>
      <Bar>
        <Chips
          label="Records"
          value={show ?? "all"}
          options={chips
            .filter(({ value, count }) => value === "all" || count > 0 || value === show)
            .map(({ value, ...chip }) => ({ value, label: <Counted {...chip} /> }))}
          onChange={(chosen) => choose({ show: chosen === "all" ? undefined : chosen })}
        />
        {rows.length < total && (
          <span className={look.soft}>
            Showing {rows.length.toLocaleString()} of {total.toLocaleString()}
          </span>
        )}
        <span className={`${look.line} ${look.end}`}>
          <Filter label="Filter name or data" value={q} onChange={(text) => choose({ q: text || undefined })} />
        </span>
      </Bar>
      {shown.length === 0 ? (
        <Empty
          title={q ? `No record matches “${q}”` : "No record matches"}
          action={<Button onClick={() => onSearch({})}>Clear filter</Button>}
        />
      ) : (
        <div className={look.list} aria-busy={isBusy || undefined}>
          <table aria-label="Records" className={css.records}>
            <thead>
              <tr className={grid.headRow}>
                <td />
                {["Name", "Type", "TTL", "Data", "Last changed by"].map((heading) => (
                  <th key={heading} scope="col" data-column={heading.toLowerCase()} className={look.cut}>
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, limit).map(({ recordId, owner, type, ttl, rdata, blame }, at) => (
                <tr
                  key={recordId}
                  className={grid.row}
                  data-state={now.has(recordId) ? "changed" : "stored"}
                  data-continued={shown[at - 1]?.owner === owner || undefined}
                >
                  <td aria-hidden="true" className={grid.check}>
                    <span className={grid.mark}>{now.has(recordId) && "≠"}</span>
                  </td>
                  <td data-column="owner" className={grid.cell}>
                    <span className={grid.text}>
                      <Named text={owner} />
                    </span>
                    {owner === "@" && <span className={grid.faint}>{zone}</span>}
                  </td>
                  <td data-column="type" className={grid.cell}>
                    <span className={grid.text}>{type}</span>
                  </td>
                  <td data-column="ttl" data-usual={ttl === usual || undefined} className={grid.cell}>
                    <span className={grid.text}>{ttl}</span>
                  </td>
                  <td data-column="rdata" className={grid.cell}>
                    <span className={grid.text} title={rdata}>
                      <OfZone text={rdata} zone={zone} />
                    </span>
                    {now.has(recordId) && <span className={`${look.accent} ${look.small}`}>{now.get(recordId)}</span>}
                  </td>
                  <td
                    data-here={blame?.id === change.id || undefined}
                    className={`${look.cut} ${look.small} ${css.by}`}
                  >
                    <Blame change={blame} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <More
            query={{
              hasNextPage: shown.length > limit,
              isFetchingNextPage: false,
              fetchNextPage: () => setLimit(limit + drawn),
            }}
            what="records"
          />
        </div>
      )}
    </>
  );
}

/** The TTL that most records have. */
function usualTtl(rows: readonly PastRecord[]): number | undefined {
  const byTtl = [...Map.groupBy(rows, ({ ttl }) => ttl)];
  return byTtl.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** What became of each record that differs, by its id. */
function nowOf(lines: readonly DifferenceLine[]): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const line of lines) {
    if (line.kind === "remove") words.set(line.row.recordId ?? "", "removed since");
    if (line.kind !== "change") continue;
    const { from, row } = line;
    const parts = [
      row.owner !== from.owner && row.owner,
      row.ttl !== from.ttl && `TTL ${row.ttl}`,
      row.rdata !== from.rdata && row.rdata,
    ];
    words.set(from.recordId ?? "", `now ${parts.filter(Boolean).join(" ")}`);
  }
  return words;
}
