/** The lines of a difference, as many as can be looked at, and the same to copy as text. */
import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { Copy } from "../parts/copy.tsx";
import type { DifferenceLine } from "./difference.ts";
import { diffText, graphqlText, nsupdateText, zoneFileText } from "./difference-text.ts";
import type { ChangeInput } from "./input.ts";
import css from "./review.module.css";

/** As many lines as are shown at first. */
const firstLines = 300;

const marks = { add: "+", change: "~", remove: "−" } as const;
const words = { add: "added", change: "changed", remove: "removed" } as const;

export function DifferenceList({ lines }: { readonly lines: readonly DifferenceLine[] }) {
  const [isAll, setAll] = useState(false);
  if (lines.length === 0) return <p className={css.note}>The zone is like this already: nothing would change.</p>;
  const shown = isAll ? lines : lines.slice(0, firstLines);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <div className={css.scroll} tabIndex={0} role="region" aria-label="Difference">
      <table className={css.lines}>
        <thead className={css.hidden}>
          <tr>
            {["Change", "Owner", "Type", "Data", "TTL"].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are not moved
            <Line key={at} line={line} />
          ))}
        </tbody>
      </table>
      {shown.length < lines.length && (
        <Button onClick={() => setAll(true)}>Show {lines.length - shown.length} more</Button>
      )}
    </div>
  );
}

function Line({ line }: { readonly line: DifferenceLine }) {
  const { kind, row } = line;
  const from = kind === "change" ? line.from : row;
  return (
    <tr data-kind={kind}>
      <td className={css.mark}>
        <span aria-hidden="true">{marks[kind]}</span>
        <span className={css.hidden}>{words[kind]}</span>
      </td>
      <td className={css.owner}>{from.owner === row.owner ? row.owner : `${from.owner} → ${row.owner}`}</td>
      <td className={css.type}>{from.type === row.type ? row.type : `${from.type} → ${row.type}`}</td>
      <td className={css.data}>
        {from.rdata === row.rdata ? (
          row.rdata
        ) : (
          <>
            <del>{from.rdata}</del> <span aria-hidden="true">→</span> <ins>{row.rdata}</ins>
          </>
        )}
        {kind === "change" && line.moves && <span className={css.moves}>moves with its RRset (RFC 2181 §5.2)</span>}
      </td>
      <td className={css.ttl}>{from.ttl === row.ttl ? row.ttl : `${from.ttl} → ${row.ttl}`}</td>
    </tr>
  );
}

interface CopyAsProps {
  readonly zone: string;
  readonly lines: readonly DifferenceLine[];
  readonly input: ChangeInput;
}

const forms = ["diff", "zone file", "GraphQL", "nsupdate"] as const;
type Form = (typeof forms)[number];

export function CopyAs({ zone, lines, input }: CopyAsProps) {
  const [form, setForm] = useState<Form>("diff");
  const text = { diff: diffText, "zone file": zoneFileText, GraphQL: () => graphqlText(input), nsupdate: nsupdate };
  function nsupdate(list: readonly DifferenceLine[]): string {
    return nsupdateText(zone, list);
  }
  return (
    <p className={css.copyAs}>
      <label>
        Copy as{" "}
        <select value={form} onChange={({ currentTarget }) => setForm(currentTarget.value as Form)}>
          {forms.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <Copy text={text[form](lines)} what={form} kind="quiet" />
    </p>
  );
}
