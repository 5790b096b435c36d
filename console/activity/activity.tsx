/**
 * What happened, as one stream, newest first, by day: changes, reviews, what was refused, and who came in. What waits is above it.
 */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { nodesOf } from "../api/pages.ts";
import { attentionOptions } from "../attention/queries.ts";
import { changeSetsOptions, openStates } from "../changesets/queries.ts";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { TextMenu } from "../parts/page/filter-menu.tsx";
import { Reading } from "../parts/page/list.tsx";
import { More } from "../parts/page/more.tsx";
import { Bar, Chips, Counted, Empty, Page } from "../parts/page/page.tsx";
import { ChangeRow } from "../parts/stream/change-row.tsx";
import { Days, Rows } from "../parts/stream/row.tsx";
import { keyName } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
import { AgeFilter, ageWords, SourceFilter, sourceWords } from "../parts/zone/origin-filters.tsx";
import { EntryRow } from "./entry-row.tsx";
import { type Entry, foldPages } from "./fold.ts";
import { type ActivitySelection, activityOptions } from "./queries.ts";
import { UpdateRow } from "./refused-row.tsx";
import { SetRow } from "./set-row.tsx";

const route = getRouteApi("/shell/activity");

const kinds = [
  { value: "all", label: "All" },
  { value: "changes", label: "Changes" },
  { value: "reviews", label: "Reviews" },
  { value: "refused", label: "Refused" },
  { value: "access", label: "Access" },
] as const;

/** Names that a menu offers. */
const mostLikely = 8;

export function Activity() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (changed: ActivitySelection) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const query = useInfiniteQuery({ ...activityOptions(search), placeholderData: keepPreviousData });
  const awaiting = useAwaiting();
  const waiting = useWaiting(search);
  const entries = foldPages(nodesOf(query)).filter(({ node }) => !isWaiting(node));
  const likely = (names: readonly (string | null | undefined)[]) =>
    [...new Set(names.filter((name) => name != null))].slice(0, mostLikely);
  return (
    <Page title="Activity" isText>
      <Bar>
        <Chips
          label="What"
          value={search.kind ?? "all"}
          options={kinds.map(({ value, label }) => ({
            value,
            label: value === "reviews" ? <Counted word={label} count={awaiting.size || undefined} /> : label,
          }))}
          onChange={(kind) => choose({ kind: kind === "all" ? undefined : kind })}
        />
        <div className={`${look.line} ${look.end}`}>
          <TextMenu
            label="Zone"
            any="Any zone"
            hint="Zone, such as example.com"
            value={search.zone}
            likely={likely(entries.map(zoneOf))}
            isFirst
            onChange={(zone) => choose({ zone })}
          />
          <TextMenu
            label="Who"
            any="Anybody"
            hint="Name of a key"
            value={search.who}
            likely={likely(entries.map(doerOf))}
            onChange={(who) => choose({ who })}
          />
          <SourceFilter source={search.through} onChange={({ source }) => choose({ through: source })} />
          <AgeFilter since={search.time} onChange={({ since }) => choose({ time: since })} />
        </div>
      </Bar>
      {waiting.length > 0 && (
        <Rows title="Waiting">
          {waiting.map((set) => (
            <SetRow key={set.id} set={set} time={set.updatedAt} isMine={awaiting.has(set.id)} />
          ))}
        </Rows>
      )}
      {(query.isPending || query.error) && <Reading query={query} />}
      <Days items={entries} timeOf={({ at }) => at} row={(entry) => <EventRow key={entry.node.id} entry={entry} />} />
      {query.data && !query.hasNextPage && entries.length + waiting.length === 0 && (
        <Nothing search={search} onClear={() => void navigate({ search: { kind: search.kind }, replace: true })} />
      )}
      <More query={query} what="activity" />
    </Page>
  );
}

function EventRow({ entry }: { readonly entry: Entry }) {
  const { node, at, count } = entry;
  if (node.__typename === "Change") return <ChangeRow change={node} count={count} />;
  if (node.__typename === "ChangeSet") return <SetRow set={node} time={at} />;
  if (node.__typename === "UpdateRefusal") return <UpdateRow entry={entry} node={node} />;
  return node.__typename === "AuditEntry" && <EntryRow entry={entry} node={node} />;
}

/** Whether it is above the stream. */
const isWaiting = (node: Entry["node"]) => node.__typename === "ChangeSet" && openStates.includes(node.state);

/** The changes that need the viewer's review. */
function useAwaiting(): ReadonlySet<string> {
  const { data: causes = [] } = useQuery(attentionOptions);
  return new Set(causes.flatMap(({ changeSet }) => (changeSet ? [changeSet.id] : [])));
}

/** The changes that wait for a review, their time or their author, as far as the selection has them. */
function useWaiting({ kind, zone, who, through }: ActivitySelection) {
  const isShown = (kind === undefined || kind === "reviews") && through === undefined;
  const query = useInfiniteQuery({
    ...changeSetsOptions({ states: [...openStates], ...(zone && { zone }) }),
    enabled: isShown,
  });
  if (!isShown) return [];
  return nodesOf(query).filter(({ author }) => who === undefined || who === author || who === keyName(author));
}

function zoneOf({ node }: Entry): string | null | undefined {
  if (node.__typename === "Change" || node.__typename === "UpdateRefusal") return unicodeText(node.zone);
  return node.__typename === "AuditEntry" && node.about ? unicodeText(node.about) : undefined;
}

function doerOf({ node }: Entry): string | null | undefined {
  if (node.__typename === "Change") return keyName(node.actor);
  if (node.__typename === "ChangeSet") return keyName(node.author);
  if (node.__typename === "UpdateRefusal") return node.keyName;
  return node.__typename === "AuditEntry" && node.doer ? keyName(node.doer) : undefined;
}

interface NothingProps {
  readonly search: ActivitySelection;
  readonly onClear: () => void;
}

function Nothing({ search: { kind, zone, who, through, time }, onClear }: NothingProps) {
  const parts = [
    kind === "refused" && "refused",
    who && `of ${who}`,
    zone && `in ${zone}`,
    through && `through ${sourceWords[through]}`,
    time && ageWords[time],
  ].filter(Boolean);
  const isFiltered = [zone, who, through, time].some((each) => each !== undefined);
  return (
    <Empty
      title={parts.length === 0 ? "Nothing yet." : `Nothing ${parts.join(" ")}.`}
      action={isFiltered && <Button onClick={onClear}>Clear filters</Button>}
    />
  );
}
