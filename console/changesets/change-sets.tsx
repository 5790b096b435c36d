/**
 * The change sets: which there are, in which state, by whom and over which zones.
 */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ChangeSetFilter, ChangeSetState } from "../api/generated/graphql.ts";
import { useViewer } from "../api/viewer.ts";
import { Button } from "../parts/control/button.tsx";
import { useWritten } from "../parts/control/use-debounced.ts";
import { List } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Bar, Empty, Filter, Segments } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { keyName } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
import { Ago } from "../parts/text/time.tsx";
import { changeSetsOptions, type ListedSet, openStates } from "./queries.ts";
import { SetForm } from "./set-form.tsx";
import { SetState } from "./set-state.tsx";

const route = getRouteApi("/shell/activity");

/** The choices; the first is the default. */
const choices = [
  { value: "OPEN", label: "open" },
  { value: "MINE", label: "mine" },
  { value: "AWAITING_ME", label: "awaiting me" },
  { value: "IN_REVIEW", label: "in review" },
  { value: "APPROVED", label: "approved" },
  { value: "SCHEDULED", label: "scheduled" },
  { value: "APPLIED", label: "applied" },
  { value: "CANCELLED", label: "cancelled" },
] as const;

/** The states in which something is still to come. */
const notOver: readonly ChangeSetState[] = [...openStates, "APPLYING"];

/** What a choice selects. */
function filterOf(choice: (typeof choices)[number]["value"]): ChangeSetFilter {
  if (choice === "AWAITING_ME") return { awaitingMe: true };
  if (choice === "OPEN") return { states: [...notOver] };
  if (choice === "MINE") return { states: [...notOver], mine: true };
  if (choice === "APPLIED") return { states: ["APPLIED", "PARTIAL"] };
  return { states: [choice] };
}

export function ChangeSets() {
  const { readOnly } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (changed: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const { text, settled: zone, write, empty } = useWritten(search.zone, (name) => choose({ zone: name }));
  const filter = { ...filterOf(search.state ?? "OPEN"), ...(zone && { zone }) };
  const sets = useInfiniteQuery({ ...changeSetsOptions(filter), placeholderData: keepPreviousData });
  const add = !readOnly && (
    <Button
      kind="primary"
      icon="plus"
      aria-label="New change set"
      onClick={() => void navigate({ search: (before) => ({ ...before, new: "set" as const }) })}
    >
      Change set
    </Button>
  );
  const clear = () => {
    empty();
    choose({ zone: undefined, state: undefined });
  };
  const isFiltered = zone !== "" || search.state !== undefined;
  return (
    <>
      <Bar>
        <Filter label="Of one zone, such as example.com" value={text} onChange={write} />
        <Segments
          label="Which"
          value={search.state ?? "OPEN"}
          options={choices.filter(({ value }) => value !== "AWAITING_ME" || !readOnly)}
          onChange={(state) => choose({ state: state === "OPEN" ? undefined : state })}
        />
        {add && <span className={page.actions}>{add}</span>}
      </Bar>
      <List
        query={sets}
        what="change sets"
        label="Change sets"
        headings={["Title", "State", "Zones", "By", "Last touched"]}
        empty={<Nothing isFiltered={isFiltered} onClear={clear} />}
        row={(set) => <Row key={set.id} set={set} />}
      />
      {search.new && !readOnly && <SetForm onClose={() => choose({ new: undefined })} />}
    </>
  );
}

function Row({ set: { id, title, state, zones, author, updatedAt, applyAt } }: { readonly set: ListedSet }) {
  const names = zones?.nodes.map((each) => unicodeText(each.zone)) ?? [];
  const more = (zones?.totalCount ?? names.length) - names.length;
  return (
    <tr>
      <td className={table.name}>
        <Link to="/changes/$change" params={{ change: id }}>
          {title}
        </Link>
      </td>
      <td>
        <SetState state={state} />
        {state === "SCHEDULED" && applyAt && (
          <>
            {" "}
            <Ago time={applyAt} />
          </>
        )}
      </td>
      <td className={table.wide}>
        {names.length === 0 ? <span className={table.soft}>no zones yet</span> : names.join(", ")}
        {more > 0 && <span className={table.soft}> and {more} more</span>}
      </td>
      <td data-label="by">{keyName(author)}</td>
      <td className={table.nowrap}>
        <Ago time={updatedAt} />
      </td>
    </tr>
  );
}

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  if (isFiltered)
    return <Empty title="No change set matches" action={<Button onClick={onClear}>Clear filter</Button>} />;
  return (
    <Empty title="No change set is open" action={<Link to="/zones">To the zones</Link>}>
      A change set holds edits of one zone or many that others can look at and approve, and that are applied as one. To
      make one, edit a zone, open the review, and propose what is there instead of applying it.
    </Empty>
  );
}
