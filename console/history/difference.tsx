/**
 * A difference as a list of records: what was added, removed and changed, each by its sign and its words.
 */
import { Hidden } from "../parts/announce.tsx";
import css from "./difference.module.css";
import { type ChangedRecord, type DifferenceRow, isSerialOnly, recordOf } from "./fold.ts";

const signs = { added: "+", removed: "−", changed: "~" } as const;

export function Difference({
  rows,
  label = "Records",
}: {
  readonly rows: readonly DifferenceRow[];
  readonly label?: string;
}) {
  const shown = rows.filter((row) => !isSerialOnly(row));
  if (shown.length === 0) return <p>Only the serial is another.</p>;
  return (
    <div className={css.box}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">
              <Hidden>What happened</Hidden>
            </th>
            <th scope="col">Owner</th>
            <th scope="col">Type</th>
            <th scope="col">TTL</th>
            <th scope="col">Data</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a difference never move
            <Row key={at} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { readonly row: DifferenceRow }) {
  const record = recordOf(row);
  const former = row.kind === "changed" ? row.before : undefined;
  return (
    <tr className={css[row.kind]}>
      <td className={css.sign}>
        <span aria-hidden="true">{signs[row.kind]}</span>
        <Hidden>{row.kind}</Hidden>
      </td>
      <td>
        <Cell record={record} former={former} of="owner" />
      </td>
      <td className={css.short}>
        <Cell record={record} former={former} of="type" />
      </td>
      <td className={css.short}>
        <Cell record={record} former={former} of="ttl" />
      </td>
      <td className={css.data}>
        <Cell record={record} former={former} of="rdata" />
      </td>
    </tr>
  );
}

interface CellProps {
  readonly record: ChangedRecord;
  readonly former: ChangedRecord | undefined;
  readonly of: "owner" | "type" | "ttl" | "rdata";
}

/** A value, with the one of before where it was another. */
function Cell({ record, former, of }: CellProps) {
  if (!former || former[of] === record[of]) return record[of];
  return (
    <>
      <del>{former[of]}</del> <span aria-hidden="true">→</span> <ins>{record[of]}</ins>
    </>
  );
}
