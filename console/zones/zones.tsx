/** The list of zones: found by name, state and user, a hundred at a time, and shown as they are published. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { DomainOrder } from "../api/generated/graphql.ts";
import { nodesOf } from "../api/pages.ts";
import { useViewer } from "../api/viewer.ts";
import { Attention } from "../attention/attention.tsx";
import { LabelChips, labelText } from "../labels/labels.tsx";
import { announce } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions } from "../parts/control/dialog.tsx";
import { useWritten } from "../parts/control/hooks.ts";
import { lazily } from "../parts/control/lazily.tsx";
import { Menu, MenuItem, menuItemClass } from "../parts/control/menu.tsx";
import look from "../parts/look.module.css";
import { TextMenu } from "../parts/page/filter-menu.tsx";
import { Listed, More } from "../parts/page/list.tsx";
import { Named } from "../parts/page/named.tsx";
import { Bar, Chips, Counted, Empty, Filter, Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { fullAuthor, personName, throughText } from "../parts/text/author.ts";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { State, servedText, stateWords } from "../parts/zone/state.tsx";
import { useStagedZones } from "../sheet/draft/staged-zones.tsx";
import { userEmailsOptions } from "../users/user-field.tsx";
import { FirstRun } from "./first-run.tsx";
import { ImportSeveral } from "./import-several.tsx";
import { ZoneMenu } from "./zone-menu.tsx";
import {
  type ListedZone,
  useZoneListEvents,
  type ZoneSelection,
  zoneCountsOptions,
  zoneListOptions,
} from "./zone-queries.ts";
import css from "./zones.module.css";

const readNewZone = async () => (await import("./new-zone.tsx")).NewZone;
const NewZone = lazily(readNewZone);

const route = getRouteApi("/shell/zones");

type StateChoice = NonNullable<ZoneSelection["state"]> | "ALL";
type Counts = Partial<Readonly<Record<StateChoice, number | null>>>;

/** The states to choose from: all, those that some zone is in though not all is well with it, and what is chosen. */
const choicesOf = (counts: Counts, chosen: StateChoice): readonly StateChoice[] =>
  (["ALL", "LATE", "PENDING", "EDITED", "UNSERVED", "LIVE"] as const).filter(
    (state) => state === "ALL" || state === chosen || (state !== "LIVE" && (counts[state] ?? 0) > 0),
  );

const choiceWords: Readonly<Record<StateChoice, string>> = { ALL: "all", EDITED: "edited by you", ...stateWords };

/** The rows with those that the viewer edits after the late ones. */
function withEdited(rows: readonly ListedZone[], edited: readonly ListedZone[]): readonly ListedZone[] {
  const moved = edited.filter(({ publication }) => publication?.state !== "LATE");
  const others = rows.filter(({ id }) => !moved.some((each) => each.id === id));
  const at = others.findIndex(({ publication }) => publication?.state !== "LATE");
  return others.toSpliced(at < 0 ? others.length : at, 0, ...moved);
}

/** How the list is sorted by name, and how once the heading is pressed: the other way, then no more. */
function sortingOf(sort: DomainOrder | undefined) {
  if (sort === "ZONE") return { order: "ascending", arrow: "↑", next: "ZONE_DESC" } as const;
  if (sort === "ZONE_DESC") return { order: "descending", arrow: "↓", next: undefined } as const;
  return { order: "none", arrow: "", next: "ZONE" } as const;
}

export function Zones() {
  const { isAdministrator, readOnly, key } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (changed: Partial<typeof search>) =>
    navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const { text, settled: q, write, empty } = useWritten(search.q, (part) => void choose({ q: part }));
  const staged = useStagedZones(key?.fingerprint ?? "none");
  const counts = { ...useQuery(zoneCountsOptions).data, EDITED: staged.size };
  const zones = useInfiniteQuery({
    ...zoneListOptions({ ...search, q }, [...staged.keys()]),
    placeholderData: keepPreviousData,
  });
  const { data: users = [] } = useQuery({ ...userEmailsOptions, enabled: isAdministrator });
  const isFollowing = useZoneListEvents();

  const isFiltered = q !== "" || search.state !== undefined || search.owner !== undefined || search.label !== undefined;
  const edited = useInfiniteQuery({
    ...zoneListOptions({ state: "EDITED" }, [...staged.keys()]),
    enabled: staged.size > 0 && !isFiltered && search.sort === undefined,
  });
  const rows = withEdited(nodesOf(zones), isFiltered || search.sort ? [] : nodesOf(edited));
  useEffect(() => {
    if (q !== "" && zones.data && !zones.isPlaceholderData) announce(`${counted(rows.length, "zone")} found`);
  }, [q, zones.data, zones.isPlaceholderData, rows.length]);

  // It is read before it is opened, and shows at once then.
  useEffect(() => void readNewZone(), []);
  const [isImporting, setImporting] = useState(false);
  // Enter may be pressed before the search is answered.
  const [isOpening, setOpening] = useState(false);
  const [first] = rows;
  const isAnswered = q === text.trim() && zones.data !== undefined && !zones.isPlaceholderData;
  useEffect(() => {
    if (!isOpening || !isAnswered) return;
    setOpening(false);
    if (first) void navigate({ to: "/zones/$zone", params: { zone: first.zone } });
  }, [isOpening, isAnswered, first, navigate]);

  const closeNew = () =>
    navigate({ search: ({ new: _new, name: _name, template: _template, ...before }) => before, replace: true });
  const openNew = () => navigate({ search: (before) => ({ ...before, new: "zone" as const }) });
  const newZone = !readOnly && (
    <Button kind="primary" icon="plus" onClick={openNew}>
      New zone
    </Button>
  );
  const clear = () => {
    empty();
    void choose({ q: undefined, state: undefined, owner: undefined, label: undefined });
  };
  const none = isFiltered ? `No zone matches${q && ` “${q}”`}` : "There are no zones";
  const helping = (
    <Actions>
      <Button onClick={clear}>Clear filter</Button>
      {q !== "" && newZone && <Button onClick={openNew}>New zone {q}</Button>}
    </Actions>
  );
  const { order, arrow, next } = sortingOf(search.sort);
  const headings: readonly (readonly [heading: string, className: string | undefined])[] = [
    ["On servers", css.served],
    ["Last change", undefined],
    ["When, by whom", css.who],
    ...(isAdministrator ? [["Owner", `${look.unlessTablet} ${css.owner}`] as const] : []),
    ["Serial", `${table.number} ${look.unlessTablet} ${css.serial}`],
  ];
  if (counts.ALL === 0 && !isFiltered && !search.new && !readOnly) return <FirstRun />;
  const labels = [...new Set(rows.flatMap((zone) => (zone.labels ?? []).map(labelText)))].toSorted();
  return (
    <Page
      title="Zones"
      above={<Attention all={counts.ALL} live={counts.LIVE} changedAt={counts.changedAt} />}
      beside={
        <span className={look.soft}>
          {counts.ALL?.toLocaleString()}
          {!isFollowing && " · not following changes"}
        </span>
      }
      actions={
        <>
          <Menu icon="more" label="More about zones">
            <Link to="/settings/templates" className={menuItemClass}>
              Templates
            </Link>
            <Link to="/settings/deleted" className={menuItemClass}>
              Deleted zones
            </Link>
            {!readOnly && <MenuItem onClick={() => setImporting(true)}>Import several…</MenuItem>}
          </Menu>
          {newZone}
        </>
      }
    >
      <Bar>
        <Filter label="Filter by name" value={text} onChange={write} onEnter={() => setOpening(true)} />
        <div className={`${look.line} ${look.close} ${css.chips}`}>
          <Chips<StateChoice>
            label="State"
            value={search.state ?? "ALL"}
            onChange={(state) => choose({ state: state === "ALL" ? undefined : state })}
            options={choicesOf(counts, search.state ?? "ALL").map((value) => ({
              value,
              label: <Counted word={choiceWords[value]} count={counts[value]} />,
            }))}
          />
          <TextMenu
            label="Label"
            any="Any label"
            hint="Label, such as env=prod"
            value={search.label}
            likely={labels}
            onChange={(label) => choose({ label })}
          />
          {isAdministrator && (
            <TextMenu
              label="Owner"
              any="Any owner"
              hint="Owner, such as anna@example.com"
              value={search.owner}
              likely={users.map(({ email }) => email)}
              onChange={(owner) => choose({ owner })}
            />
          )}
        </div>
      </Bar>
      <Listed query={zones} empty={<Empty title={none} action={isFiltered && helping} />}>
        {() => (
          <div className={`${look.list} ${table.box}`}>
            <table className={`${table.table} ${css.zones}`} aria-label="Zones">
              <thead>
                <tr>
                  <th scope="col" className={css.name} aria-sort={order}>
                    <button
                      type="button"
                      className={`${look.bare} ${table.sort}`}
                      onClick={() => choose({ sort: next })}
                    >
                      Zone <span aria-hidden="true">{arrow}</span>
                    </button>
                  </th>
                  {headings.map(([heading, className]) => (
                    <th key={heading} scope="col" className={className}>
                      {heading}
                    </th>
                  ))}
                  <td className={css.menu} />
                </tr>
              </thead>
              <tbody className={look.soft}>
                {rows.map((zone) => (
                  <ZoneRow key={zone.id} zone={zone} edits={staged.get(zone.zone) ?? 0} />
                ))}
              </tbody>
            </table>
            <More query={zones} what="zones" />
          </div>
        )}
      </Listed>
      {isImporting && <ImportSeveral onClose={() => setImporting(false)} />}
      {search.new && !readOnly && (
        <NewZone name={search.name ?? (rows.length === 0 ? q : "")} template={search.template} onClose={closeNew} />
      )}
    </Page>
  );
}

/** A zone of the list; `edits` are those of the viewer that are not applied. */
function ZoneRow({ zone, edits }: { readonly zone: ListedZone; readonly edits: number }) {
  const { isAdministrator } = useViewer();
  const [change] = zone.changes?.nodes ?? [];
  const { publication } = zone;
  const what = change?.note ?? change?.summary ?? "";
  return (
    <tr>
      <td className={css.name}>
        <Link to="/zones/$zone" params={{ zone: zone.zone }} className={look.through} title={zone.zoneUnicode}>
          {zone.zoneUnicode}
        </Link>
        <span className={`${look.unlessTablet} ${css.labels}`}>
          <LabelChips labels={zone.labels} />
        </span>
        {edits > 0 && <span className={`${look.accent} ${look.small}`}>{counted(edits, "edit")}</span>}
      </td>
      <td className={css.served}>
        {publication && (
          <Link to="/zones/$zone/servers" params={{ zone: zone.zone }} className={look.plain}>
            <State state={publication.state} detail={servedText(publication)} />
            {publication.state === "LATE" && (
              <span className={`${look.faint} ${look.unlessPhone}`}>
                {" "}
                · <Ago time={publication.since} isShort />
              </span>
            )}
          </Link>
        )}
      </td>
      <td className={css.change} title={what}>
        <Named text={what} />
      </td>
      <td className={css.who}>
        {change && (
          <span title={`${fullAuthor(change)}, ${throughText(change)}`}>
            <Ago time={change.createdAt} isShort /> · {personName(change)}
          </span>
        )}
      </td>
      {isAdministrator && (
        <td className={`${look.faint} ${look.unlessTablet}`} title={zone.user?.email}>
          {zone.user?.email}
        </td>
      )}
      <td className={`${look.faint} ${look.mono} ${look.unlessTablet} ${table.number}`}>{zone.serial}</td>
      <td className={`${look.unlessPhone} ${css.menu}`}>
        <ZoneMenu zone={zone} />
      </td>
    </tr>
  );
}
