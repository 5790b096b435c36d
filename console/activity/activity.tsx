/**
 * What happened, as one stream, newest first, by day: changes, reviews, what was refused, and who came in. What waits is above it.
 */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { nodesOf } from "../api/pages.ts";
import { attentionOptions } from "../attention/attention.tsx";
import { changeSetsOptions, openStates } from "../changesets/queries.ts";
import look from "../parts/look.module.css";
import { TextMenu } from "../parts/page/filter-menu.tsx";
import { Bar, Chips, Counted, Page } from "../parts/page/page.tsx";
import { ChangeRow } from "../parts/stream/change-row.tsx";
import { likely, OriginMenus } from "../parts/stream/origin.tsx";
import { Nothing, Rows, Stream } from "../parts/stream/stream.tsx";
import { keyName } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
import { dayText } from "../parts/text/time.tsx";
import { EntryRow, UpdateRow } from "./event-rows.tsx";
import { type ActivitySelection, activityOptions, type Entry } from "./queries.ts";
import { SetRow } from "./set-row.tsx";

const route = getRouteApi("/shell/activity");

export function Activity() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (changed: ActivitySelection) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const query = useInfiniteQuery({ ...activityOptions(search), placeholderData: keepPreviousData });
  const { data: causes = [] } = useQuery(attentionOptions);
  /** The changes that need the viewer's review. */
  const awaiting = causes.flatMap(({ changeSet }) => changeSet?.id ?? []);
  const waiting = useWaiting(search);
  const entries = nodesOf(query).filter(({ node }) => !isWaiting(node));
  return (
    <Page title="Activity" isText>
      <Bar>
        <Chips
          label="What"
          value={search.kind ?? "all"}
          options={[
            { value: "all", label: "All" },
            { value: "changes", label: "Changes" },
            { value: "reviews", label: <Counted word="Reviews" count={awaiting.length || undefined} /> },
            { value: "refused", label: "Refused" },
            { value: "access", label: "Access" },
          ]}
          onChange={(kind) => choose({ kind: kind === "all" ? undefined : kind })}
        />
        <div className={`${look.line} ${look.end}`}>
          <TextMenu
            label="Zone"
            any="Any zone"
            hint="Zone, such as example.com"
            value={search.zone}
            likely={likely(entries.map((entry) => ofWhat(entry).zone))}
            isFirst
            onChange={(zone) => choose({ zone })}
          />
          <OriginMenus origin={search} doers={entries.map((entry) => ofWhat(entry).doer)} onChange={choose} />
        </div>
      </Bar>
      {waiting.length > 0 && (
        <Rows title="Waiting">
          {waiting.map((set) => (
            <SetRow key={set.id} set={set} time={set.updatedAt} isMine={awaiting.includes(set.id)} />
          ))}
        </Rows>
      )}
      <Stream
        query={query}
        what="activity"
        items={entries}
        titleOf={({ at }) => dayText(at)}
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

/** In which zone something was, and by which key. */
function ofWhat({ node }: Entry): { readonly zone?: string | undefined; readonly doer?: string | null } {
  if (node.__typename === "Change") return { zone: unicodeText(node.zone), doer: node.actor };
  if (node.__typename === "ChangeSet") return { doer: node.author };
  if (node.__typename === "UpdateRefusal") return { zone: unicodeText(node.zone), doer: node.keyName };
  return node.__typename === "AuditEntry" ? { zone: unicodeText(node.about ?? "") || undefined, doer: node.doer } : {};
}
