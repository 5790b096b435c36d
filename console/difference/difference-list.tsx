/** The lines of a difference, one below the other or old beside new; the first 300 of more. */
import { Fragment, type ReactNode, useState } from "react";
import { Hidden } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import hidden from "../parts/control/hidden.module.css";
import { useNarrow } from "../parts/control/use-narrow.ts";
import { Named } from "../parts/page/named.tsx";
import { Segments } from "../parts/page/page.tsx";
import css from "./difference.module.css";
import type { DifferenceLine, DifferenceRow } from "./difference.ts";

/** How many lines are shown at first. */
const firstLines = 300;

const arrangements = ["unified", "side by side"] as const;

/** The name under which the browser keeps the arrangement that was chosen. */
const arrangementName = "zonesmith.difference";

const storedArrangement = () =>
  arrangements.find((each) => each === localStorage.getItem(arrangementName)) ?? "unified";

const marks = { add: "+", change: "~", remove: "−" } as const;
const words = { add: "added", change: "changed", remove: "removed" } as const;

interface DifferenceListProps {
  readonly lines: readonly DifferenceLine[];
  /** Its name, where a page has several. */
  readonly label?: string;
  /** What is said where there is no line. */
  readonly empty?: string;
  /** Returns the change that added or removed a line, for a column of its own. */
  readonly blame?: ((line: DifferenceLine) => ReactNode) | undefined;
  /** What is beside the choice of the arrangement. */
  readonly children?: ReactNode;
}

export function DifferenceList({
  lines,
  label = "Difference",
  empty = "The zone is like this already: nothing would change.",
  blame,
  children,
}: DifferenceListProps) {
  const [isAll, setAll] = useState(false);
  const [chosen, choose] = useState(storedArrangement);
  const isNarrow = useNarrow();
  if (lines.length === 0)
    return (
      <>
        {children}
        <p className={css.note}>{empty}</p>
      </>
    );
  const shown = isAll ? lines : lines.slice(0, firstLines);
  const isSplit = chosen === "side by side" && !isNarrow;
  const Row = isSplit ? Sides : Line;
  const headings = isSplit ? ["Old", "New"] : ["Change", "Owner", "Type", "Data", "TTL"];
  return (
    <>
      <div className={css.arrangement} hidden={isNarrow && !children}>
        {children}
        {!isNarrow && (
          <Segments
            label={`${label}: arrangement`}
            value={chosen}
            options={arrangements.map((value) => ({ value, label: value }))}
            onChange={(value) => {
              localStorage.setItem(arrangementName, value);
              choose(value);
            }}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section className={css.scroll} tabIndex={0} aria-label={label}>
        <table className={isSplit ? css.sides : css.lines}>
          <thead className={isSplit ? undefined : hidden.hidden}>
            <tr>
              {[...headings, ...(blame ? ["By"] : [])].map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are not moved
              <Row key={at} line={line} blame={blame && <td className={css.by}>{blame(line)}</td>} />
            ))}
          </tbody>
        </table>
        {shown.length < lines.length && (
          <Button onClick={() => setAll(true)}>Show {lines.length - shown.length} more</Button>
        )}
      </section>
    </>
  );
}

interface LineProps {
  readonly line: DifferenceLine;
  /** The cell that says by which change it is so, where there is such a column. */
  readonly blame: ReactNode;
}

/** A line as the records before and after it, beside each other. */
function Sides({ line, blame }: LineProps) {
  const { kind, row } = line;
  const from = kind === "change" ? line.from : undefined;
  return (
    <tr data-kind={kind}>
      <td data-side="old">{kind !== "add" && <Side row={from ?? row} other={from && row} mark="del" />}</td>
      <td data-side="new">
        {kind !== "remove" && <Side row={row} other={from} mark="ins" />}
        {kind === "change" && line.moves && <Moves />}
      </td>
      {blame}
    </tr>
  );
}

interface SideProps {
  readonly row: DifferenceRow;
  /** The record of the other side, if there is one. */
  readonly other: DifferenceRow | undefined;
  readonly mark: "del" | "ins";
}

/** A record as in a master file; fields that differ from the other side are marked. */
function Side({ row, other, mark: Mark }: SideProps) {
  return (["owner", "ttl", "type", "rdata"] as const).map((field) => (
    <Fragment key={field}>
      {!other || other[field] === row[field] ? textOf(row, field) : <Mark>{textOf(row, field)}</Mark>}{" "}
    </Fragment>
  ));
}

const textOf = (row: DifferenceRow, field: "owner" | "ttl" | "type" | "rdata") => <Named text={String(row[field])} />;

const Moves = () => <span className={css.moves}>moves with its RRset (RFC 2181 §5.2)</span>;

function Line({ line, blame }: LineProps) {
  const { kind, row } = line;
  const from = kind === "change" ? line.from : row;
  return (
    <tr data-kind={kind}>
      <td className={css.mark}>
        <span aria-hidden="true">{marks[kind]}</span>
        <Hidden>{words[kind]}</Hidden>
      </td>
      <td>
        {from.owner !== row.owner && (
          <>
            <Named text={from.owner} /> →{" "}
          </>
        )}
        <Named text={row.owner} />
      </td>
      <td className={css.type}>{from.type === row.type ? row.type : `${from.type} → ${row.type}`}</td>
      <td className={css.data}>
        {from.rdata === row.rdata ? (
          <Named text={row.rdata} />
        ) : (
          <>
            <del>
              <Named text={from.rdata} />
            </del>{" "}
            <span aria-hidden="true">→</span>{" "}
            <ins>
              <Named text={row.rdata} />
            </ins>
          </>
        )}
        {kind === "change" && line.moves && <Moves />}
      </td>
      <td className={css.ttl}>{from.ttl === row.ttl ? row.ttl : `${from.ttl} → ${row.ttl}`}</td>
      {blame}
    </tr>
  );
}
