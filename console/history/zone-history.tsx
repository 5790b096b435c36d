/**
 * The changes of one zone, and what two serials differ by.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { DifferenceList } from "../difference/difference-list.tsx";
import { IconButton } from "../parts/button.tsx";
import { Loading } from "../parts/page.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { Changes } from "./changes.tsx";
import { countsText, fold } from "./fold.ts";
import css from "./history.module.css";
import { comparisonOptions, type ListedChange } from "./queries.ts";

const route = getRouteApi("/shell/zones/$zone/history");

export function ZoneHistory() {
  const { zone } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (changed: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const { from, to } = search;
  return (
    <>
      {from !== undefined && to !== undefined && (
        <Comparison zone={zone} from={from} to={to} onClose={() => choose({ from: undefined, to: undefined })} />
      )}
      <Changes selection={{ ...search, zone }} withZone={false} onChange={choose}>
        {(changes) => (
          <CompareForm
            key={`${from} ${to}`}
            changes={changes}
            from={from}
            to={to}
            onCompare={(first, last) => choose({ from: first, to: last })}
          />
        )}
      </Changes>
    </>
  );
}

interface CompareFormProps {
  readonly changes: readonly ListedChange[];
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly onCompare: (from: number, to: number) => void;
}

/** Chooses two serials; as soon as both are there, they are compared. */
function CompareForm({ changes, from, to, onCompare }: CompareFormProps) {
  // The name may have had another zone before, which was deleted.
  const own = changes.filter(({ domain }) => domain !== null);
  const [newest] = own;
  if (!newest || own.length < 2) return null;
  const serials = own.map(({ serial }) => serial);
  const last = to ?? newest.serial;
  const choices = (chosen: number | undefined) => [...new Set([...serials, ...(chosen === undefined ? [] : [chosen])])];
  return (
    <div className={css.compare}>
      <label>
        Compare
        <select
          value={from ?? ""}
          onChange={(event) => event.target.value && onCompare(Number(event.target.value), last)}
        >
          <option value="">serial…</option>
          {choices(from).map((serial) => (
            <option key={serial} value={serial}>
              {serial}
            </option>
          ))}
        </select>
      </label>
      <label>
        with
        <select value={last} onChange={(event) => from !== undefined && onCompare(from, Number(event.target.value))}>
          {choices(to).map((serial) => (
            <option key={serial} value={serial}>
              {serial}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface ComparisonProps {
  readonly zone: string;
  readonly from: number;
  readonly to: number;
  readonly onClose: () => void;
}

function Comparison({ zone, from, to, onClose }: ComparisonProps) {
  const [older, newer] = from <= to ? [from, to] : [to, from];
  const { data, error } = useQuery(comparisonOptions(zone, older, newer));
  const lines = data ? fold([data]) : [];
  return (
    <section className={css.panel} aria-label="Comparison">
      <header className={css.panelHead}>
        <h2>
          {older} → {newer}
          {data && `: ${countsText(lines)}`}
        </h2>
        <IconButton icon="close" label="Close the comparison" onClick={onClose} />
      </header>
      {error && <Refusal error={error} />}
      {!data && !error && <Loading />}
      {data && !data.isWhole && <p>The serials differ by more records than are shown here.</p>}
      {data && <DifferenceList lines={lines} empty="Only the serial differs." />}
    </section>
  );
}
