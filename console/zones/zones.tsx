/**
 * The list of zones: found by name, state and user, a hundred at a time, and shown as they are published.
 */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { DomainOrder, PublicationState } from "../api/generated/graphql.ts";
import { nodesOf } from "../api/pages.ts";
import { useViewer } from "../api/viewer.ts";
import { Attention } from "../attention/attention.tsx";
import { LabelFilter } from "../labels/label-filter.tsx";
import { announce } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions } from "../parts/control/dialog.tsx";
import { Menu, menuItemClass } from "../parts/control/menu.tsx";
import { useWritten } from "../parts/control/use-debounced.ts";
import { Listed } from "../parts/page/list.tsx";
import { More } from "../parts/page/more.tsx";
import { Bar, Chips, Counted, Empty, Filter, Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { counted } from "../parts/text/counted.ts";
import { stateWords } from "../parts/zone/state.tsx";
import { UserFilter } from "../users/user-filter.tsx";
import { useZoneListEvents } from "./list-events.ts";
import { NewZone } from "./new-zone.tsx";
import { zoneCountsOptions, zoneListOptions } from "./zone-queries.ts";
import { ZoneRow } from "./zone-row.tsx";

const route = getRouteApi("/shell/zones");

type StateChoice = PublicationState | "ALL";
type Counts = Partial<Readonly<Record<StateChoice, number | null>>>;

/** The states to choose from: all, those that some zone is in though not all is well with it, and what is chosen. */
const choicesOf = (counts: Counts | undefined, chosen: StateChoice): readonly StateChoice[] =>
  (["ALL", "LATE", "PENDING", "UNSERVED", "LIVE"] as const).filter(
    (state) => state === "ALL" || state === chosen || (state !== "LIVE" && (counts?.[state] ?? 0) > 0),
  );

export function Zones() {
  const { isAdministrator, readOnly } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (changed: Partial<typeof search>) =>
    navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const { text, settled: q, write, empty } = useWritten(search.q, (part) => void choose({ q: part }));
  const counts = useQuery(zoneCountsOptions).data;
  const zones = useInfiniteQuery({ ...zoneListOptions({ ...search, q }), placeholderData: keepPreviousData });
  const isFollowing = useZoneListEvents();

  const rows = nodesOf(zones);
  useEffect(() => {
    if (q !== "" && zones.data && !zones.isPlaceholderData) announce(`${counted(rows.length, "zone")} found`);
  }, [q, zones.data, zones.isPlaceholderData, rows.length]);

  // Enter may be pressed before the search is answered.
  const [isOpening, setOpening] = useState(false);
  const [first] = rows;
  const isAnswered = q === text.trim() && zones.data !== undefined && !zones.isPlaceholderData;
  useEffect(() => {
    if (!isOpening || !isAnswered) return;
    setOpening(false);
    if (first) void navigate({ to: "/zones/$zone", params: { zone: first.zone } });
  }, [isOpening, isAnswered, first, navigate]);

  const closeNew = () => navigate({ search: ({ new: _new, template: _template, ...before }) => before, replace: true });
  const openNew = () => navigate({ search: (before) => ({ ...before, new: "zone" as const }) });
  const newZone = !readOnly && (
    <Button kind="primary" icon="plus" aria-label="New zone" onClick={openNew}>
      Zone
    </Button>
  );
  const clear = () => {
    empty();
    void choose({ q: undefined, state: undefined, owner: undefined, label: undefined });
  };
  const isFiltered = q !== "" || search.state !== undefined || search.owner !== undefined || search.label !== undefined;
  return (
    <Page
      title="Zones"
      actions={
        <>
          <Menu icon="more" label="More about zones">
            <Link to="/settings/templates" className={menuItemClass}>
              Templates
            </Link>
            <Link to="/settings/deleted" className={menuItemClass}>
              Deleted zones
            </Link>
          </Menu>
          {newZone}
        </>
      }
      beside={isFollowing ? null : <span className={table.soft}>not following changes</span>}
    >
      <Attention all={counts?.ALL} live={counts?.LIVE} />
      <Bar>
        <Filter label="Find a zone…" value={text} onChange={write} onEnter={() => setOpening(true)} />
        <Chips<StateChoice>
          label="State"
          value={search.state ?? "ALL"}
          onChange={(state) => choose({ state: state === "ALL" ? undefined : state })}
          options={choicesOf(counts, search.state ?? "ALL").map((value) => ({
            value,
            label: <Counted word={value === "ALL" ? "all" : stateWords[value]} count={counts?.[value]} />,
          }))}
        />
        <LabelFilter value={search.label} onChange={(label) => choose({ label })} />
        {isAdministrator && <UserFilter value={search.owner} onChange={(owner) => choose({ owner })} />}
      </Bar>
      <Listed
        query={zones}
        empty={<NothingFound isFiltered={isFiltered} q={q} onClear={clear} newZone={newZone} onNew={openNew} />}
      >
        {() => (
          <div className={table.box}>
            <table className={table.table} aria-label="Zones">
              <thead>
                <tr>
                  <SortHeading
                    label="Zone"
                    sort={search.sort}
                    by="ZONE"
                    reverse="ZONE_DESC"
                    onSort={(sort) => choose({ sort })}
                  />
                  <th scope="col">On servers</th>
                  <th scope="col">Last change</th>
                  <th scope="col">When, by whom</th>
                  {isAdministrator && <th scope="col">Owner</th>}
                  <th scope="col" className={table.number}>
                    Serial
                  </th>
                  <td className={table.end} />
                </tr>
              </thead>
              <tbody>
                {rows.map((zone) => (
                  <ZoneRow key={zone.id} zone={zone} />
                ))}
              </tbody>
            </table>
            <More query={zones} what="zones" />
          </div>
        )}
      </Listed>
      {search.new && !readOnly && (
        <NewZone name={rows.length === 0 ? q : ""} template={search.template} onClose={closeNew} />
      )}
    </Page>
  );
}

interface SortHeadingProps {
  readonly label: string;
  readonly sort: DomainOrder | undefined;
  readonly by: DomainOrder;
  readonly reverse: DomainOrder;
  readonly onSort: (sort: DomainOrder | undefined) => void;
}

/** The heading of a column that sorts by it, and the other way when it does already. */
function SortHeading({ label, sort, by, reverse, onSort }: SortHeadingProps) {
  const direction = sort === by ? "ascending" : sort === reverse ? "descending" : "none";
  return (
    <th scope="col" aria-sort={direction}>
      <button
        type="button"
        className={table.sort}
        onClick={() => onSort(sort === by ? reverse : sort === reverse ? undefined : by)}
      >
        {label} <span aria-hidden="true">{{ ascending: "↑", descending: "↓", none: "" }[direction]}</span>
      </button>
    </th>
  );
}

interface NothingFoundProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** What is looked for by name. */
  readonly q: string;
  /** The button of a new zone, for a key that may make one. */
  readonly newZone: React.ReactNode;
  readonly onNew: () => void;
}

function NothingFound({ isFiltered, q, onClear, newZone, onNew }: NothingFoundProps) {
  if (isFiltered)
    return (
      <Empty
        title={q === "" ? "No zone matches" : `No zone matches “${q}”`}
        action={
          <Actions>
            <Button onClick={onClear}>Clear filter</Button>
            {q !== "" && newZone && <Button onClick={onNew}>New zone {q}</Button>}
          </Actions>
        }
      />
    );
  return (
    <Empty title="There are no zones" action={newZone}>
      A new zone begins with its SOA, the NS records of your name servers, and www. To move one here, create it and
      import its master file. One that was deleted is among the <Link to="/settings/deleted">deleted zones</Link>, and
      can come back.
    </Empty>
  );
}
