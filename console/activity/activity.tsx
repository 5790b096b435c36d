/**
 * What happened, as one stream, newest first, by day: changes, reviews, what was refused, and who came in. What waits is above it.
 */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { nodesOf } from "../api/pages.ts";
import { attentionOptions } from "../attention/queries.ts";
import { changeSetsOptions, openStates } from "../changesets/queries.ts";
import look from "../parts/look.module.css";
import { TextMenu } from "../parts/page/filter-menu.tsx";
import { Bar, Chips, Counted, Page } from "../parts/page/page.tsx";
import { ChangeRow } from "../parts/stream/change-row.tsx";
import { likely, OriginMenus } from "../parts/stream/origin.tsx";
import { Rows } from "../parts/stream/row.tsx";
import { Nothing, Stream } from "../parts/stream/stream.tsx";
import { keyName } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
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

export function Activity() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (changed: ActivitySelection) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const query = useInfiniteQuery({ ...activityOptions(search), placeholderData: keepPreviousData });
  const awaiting = useAwaiting();
  const waiting = useWaiting(search);
  const entries = foldPages(nodesOf(query)).filter(({ node }) => !isWaiting(node));
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
          <OriginMenus origin={search} doers={entries.map(doerOf)} onChange={choose} />
        </div>
      </Bar>
      {waiting.length > 0 && (
        <Rows title="Waiting">
          {waiting.map((set) => (
            <SetRow key={set.id} set={set} time={set.updatedAt} isMine={awaiting.has(set.id)} />
          ))}
        </Rows>
      )}
      <Stream
        query={query}
        what="activity"
        items={entries}
        timeOf={({ at }) => at}
        row={(entry) => <EventRow key={entry.node.id} entry={entry} />}
        empty={
          waiting.length === 0 && (
            <Nothing
              what={search.kind === "refused" ? "refused" : undefined}
              where={[search.zone && `in ${search.zone}`]}
              origin={search}
              onClear={() => void navigate({ search: { kind: search.kind }, replace: true })}
            />
          )
        }
      />
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
  if (node.__typename === "Change") return node.actor;
  if (node.__typename === "ChangeSet") return node.author;
  if (node.__typename === "UpdateRefusal") return node.keyName;
  return node.__typename === "AuditEntry" ? node.doer : undefined;
}
