/** The lines of a difference: removed above added records, or old beside new ones; the first 100 where there are more than 200. */
import { Fragment, type ReactNode, useState, useSyncExternalStore } from "react";
import { Hidden } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { useNarrow } from "../parts/control/hooks.ts";
import look from "../parts/look.module.css";
import { Named } from "../parts/page/named.tsx";
import { Segments } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { unicodeText } from "../parts/text/names.ts";
import css from "./difference.module.css";
import { type DifferenceLine, type DifferenceRow, differingPart, sidesOf, withMoves } from "./difference.ts";

/** How all differences are arranged; the browser keeps what was chosen. */
const arrangements = ["Unified", "Side by side"] as const;
const storedName = "zonesmith.difference";
const changes = new EventTarget();

function subscribe(listener: () => void): () => void {
  changes.addEventListener("change", listener);
  return () => changes.removeEventListener("change", listener);
}

const useChosen = () =>
  useSyncExternalStore(
    subscribe,
    () => arrangements.find((each) => each === localStorage.getItem(storedName)) ?? "Unified",
  );

/** Whether old records are beside new ones, for which a phone has no room. */
function useSideBySide(): boolean {
  const isNarrow = useNarrow();
  return useChosen() === "Side by side" && !isNarrow;
}

/** What is above the first difference of a page, beside the switch for all of them. */
export const DifferenceHead = ({ isSwitched = true, children }: { isSwitched?: boolean; children?: ReactNode }) => (
  <header className={`${look.line} ${css.head}`}>
    {children}
    {isSwitched && <Switch />}
  </header>
);

function Switch() {
  const value = useChosen();
  if (useNarrow()) return null;
  return (
    <span className={look.end}>
      <Segments
        label="Arrangement of the difference"
        value={value}
        options={arrangements.map((each) => ({ value: each, label: each }))}
        onChange={(chosen) => {
          localStorage.setItem(storedName, chosen);
          changes.dispatchEvent(new Event("change"));
        }}
      />
    </span>
  );
}

const mostLines = 200;
const firstLines = 100;

const columns = ["Name", "TTL", "Type", "Data"] as const;
const fields = ["owner", "ttl", "type", "rdata"] as const;

interface DifferenceListProps {
  readonly lines: readonly DifferenceLine[];
  readonly label?: string;
  readonly empty?: string;
  /** Returns the change that added or removed a line, for a column of its own. */
  readonly blame?: ((line: DifferenceLine) => ReactNode) | undefined;
}

export function DifferenceList({
  lines,
  label = "Difference",
  empty = "The zone is like this already: nothing would change.",
  blame,
}: DifferenceListProps) {
  const [isAll, setAll] = useState(false);
  const isSplit = useSideBySide();
  if (lines.length === 0) return <p className={look.soft}>{empty}</p>;
  const ordered = withMoves(lines);
  const shown = isAll || ordered.length <= mostLines ? ordered : ordered.slice(0, firstLines);
  const headings = isSplit ? ["Old", "New"] : ["Change", ...columns];
  const Rows = isSplit ? Sides : Unified;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className={`${look.list} ${css.scroll}`} tabIndex={0} aria-label={label}>
      <table className={`${look.mono} ${look.anywhere} ${isSplit ? css.sides : css.lines}`}>
        <thead>
          <tr>
            {[...headings, ...(blame ? ["By"] : [])].map((heading) => (
              <th key={heading} scope="col">
                {heading === "Change" ? <Hidden>{heading}</Hidden> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ line, moved }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are not moved
            <Fragment key={at}>
              <Rows line={line} blame={blame && <td className={css.by}>{blame(line)}</td>} />
              {moved > 0 && (
                <tr className={look.soft}>
                  <td colSpan={headings.length}>
                    + {counted(moved, "other")} {moved === 1 ? "moves" : "move"} to {line.row.ttl}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {shown.length < ordered.length && (
        <Button onClick={() => setAll(true)}>Show {(ordered.length - shown.length).toLocaleString()} more</Button>
      )}
    </section>
  );
}

interface RowsProps {
  readonly line: DifferenceLine;
  /** The cell that says by which change it is so, where there is such a column. */
  readonly blame: ReactNode;
}

function Unified({ line, blame }: RowsProps) {
  const { from, to } = sidesOf(line);
  return (
    <>
      {from && <Row row={from} other={to} kind="remove" blame={to ? blame && <td /> : blame} />}
      {to && <Row row={to} other={from} kind="add" blame={blame} />}
    </>
  );
}

interface SideProps {
  readonly row: DifferenceRow;
  readonly other: DifferenceRow | undefined;
}

function Row({ row, other, kind, blame }: SideProps & { readonly kind: "add" | "remove"; readonly blame: ReactNode }) {
  return (
    <tr
      data-kind={kind}
      data-pair={(kind === "add" && other !== undefined) || undefined}
      className={row.type === "SOA" ? look.soft : undefined}
    >
      <td className={css.sign}>
        <span aria-hidden="true">{kind === "add" ? "+" : "−"}</span>
        <Hidden>{kind === "add" ? "added" : "removed"}</Hidden>
      </td>
      {fields.map((field) => (
        <td key={field} className={field === "rdata" ? css.rdata : field === "owner" ? undefined : look.nowrap}>
          <Marked text={String(row[field])} other={other && String(other[field])} />
        </td>
      ))}
      {blame}
    </tr>
  );
}

function Sides({ line, blame }: RowsProps) {
  const { from, to } = sidesOf(line);
  return (
    <tr className={line.row.type === "SOA" ? look.soft : undefined}>
      <td data-kind={from && "remove"}>{from && <Side row={from} other={to} />}</td>
      <td data-kind={to && "add"}>{to && <Side row={to} other={from} />}</td>
      {blame}
    </tr>
  );
}

function Side({ row, other }: SideProps) {
  return fields.map((field) => (
    <Fragment key={field}>
      <Marked text={String(row[field])} other={other && String(other[field])} />{" "}
    </Fragment>
  ));
}

/** A text with the letters marked by which it differs from the other side's; a number is marked whole. */
function Marked({ text, other }: { readonly text: string; readonly other: string | undefined }) {
  if (other === undefined || other === text) return <Named text={text} />;
  const isWhole = unicodeText(text) !== text || /^\d+$/.test(text);
  const [start, end] = isWhole ? [0, text.length] : differingPart(text, other);
  return (
    <>
      {text.slice(0, start)}
      <mark>
        <Named text={text.slice(start, end)} />
      </mark>
      {text.slice(end)}
    </>
  );
}
