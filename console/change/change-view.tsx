/**
 * The page of a change that is applied: of one zone, with what it did, by whom, on which servers it is, and the way to take it back; one
 * of several zones or people is a change set.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { type ChangedRecords, changeLines, countsText } from "../difference/difference.ts";
import { DifferenceHead, DifferenceList } from "../difference/difference-list.tsx";
import { ChangeState, Return } from "../history/change-state.tsx";
import { type DeletedZone, deletedZoneOptions } from "../history/deleted/deleted-queries.ts";
import { RestoreButton } from "../history/deleted/restore-zone.tsx";
import { changeOptions, type ShownChange, titleOfChange } from "../history/queries.ts";
import { useUndo } from "../history/undo.tsx";
import { menuItemClass } from "../parts/control/menu.tsx";
import look from "../parts/look.module.css";
import { Read } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { applierOf, authorName, fullAuthor } from "../parts/text/author.ts";
import { Ago, Exact } from "../parts/text/time.tsx";
import { maxEdits } from "../sheet/draft/draft.ts";
import { ChangePage, Detail, Events, Pill, Section, titleOf, ZoneName } from "./change-page.tsx";
import { ChangeSet } from "./change-set.tsx";
import { OnServers, serversOptions } from "./on-servers.tsx";

const route = getRouteApi("/shell/changes/$change");

export function Change() {
  const { change: id } = route.useParams();
  return (
    <Read query={useQuery(serversOptions(id))} title="Change">
      {({ isSet }) => (isSet ? <ChangeSet id={id} /> : <ChangeOfZone key={id} id={id} />)}
    </Read>
  );
}

function ChangeOfZone({ id }: { readonly id: string }) {
  const query = useQuery(changeOptions(id));
  const { data: deleted } = useQuery({
    ...deletedZoneOptions(query.data?.change ?? { id, zone: "", serial: 0, createdAt: "" }),
    enabled: query.data?.change.kind === "DELETE",
  });
  return (
    <Read query={query} title="Change">
      {({ change, records }) => {
        const { changeSet, zone } = change;
        if (changeSet) return <Navigate to="/changes/$change" params={{ change: changeSet.id }} hash={zone} replace />;
        return <Applied change={change} records={records} deleted={deleted ?? undefined} />;
      }}
    </Read>
  );
}

interface AppliedProps {
  readonly change: ShownChange;
  readonly records: ChangedRecords & { readonly isWhole: boolean };
  /** The zone that it deleted, unless that is back. */
  readonly deleted: DeletedZone | undefined;
}

function Applied({ change, records, deleted }: AppliedProps) {
  const { readOnly } = useViewer();
  const { id, zone, serial, previousSerial, kind, domain, undoneBy } = change;
  const lines = changeLines(records);
  // It is read again until every server has it.
  const { publication } = useQuery(serversOptions(id)).data?.published[0] ?? change;
  const whole = titleOfChange(change);
  const title = titleOf(whole);
  const mayUndo = !readOnly && kind === "EDIT" && domain !== null && !undoneBy;
  const isDraft = records.isWhole && lines.length <= maxEdits && !lines.some(({ row }) => row.type === "SOA");
  const undo = useUndo({
    title,
    draft: isDraft ? { zone, undo: id } : undefined,
    changeIds: [id],
  });
  return (
    <ChangePage
      title={title}
      facts={
        <>
          <Pill>{undoneBy ? "Undone" : "Applied"}</Pill>
          {undoneBy && (
            <span>
              Undone by{" "}
              <Link to="/changes/$change" params={{ change: undoneBy.id }}>
                {undoneBy.serial}
              </Link>
            </span>
          )}
          <ChangeState change={{ kind, domain, publication }} />
          <span title={fullAuthor(change)}>
            by {authorName(change)}, <Ago time={change.createdAt} />
          </span>
          <Return change={change} />
        </>
      }
      more={<Places change={change} deleted={deleted} />}
      action={
        <>
          {mayUndo && undo.button}
          {deleted && <RestoreButton deleted={deleted} />}
        </>
      }
      aside={
        <>
          <OnServers id={id} />
          <Section title="Details">
            <dl>
              <Detail name="Committed">
                <Exact time={change.createdAt} />
              </Detail>
              <Detail name="Serial">
                {previousSerial === null || kind === "DELETE" ? "" : `${previousSerial} → `}
                {serial}
              </Detail>
              <Detail name="Through">{change.source.toLowerCase()}</Detail>
              <Detail name="Key">{change.actor}</Detail>
              {applierOf(change) !== undefined && <Detail name="Applied by">{applierOf(change)}</Detail>}
            </dl>
          </Section>
        </>
      }
    >
      {undo.question}
      {whole !== title && <p className={page.quote}>{whole}</p>}
      <DifferenceHead isSwitched={lines.length > 0}>
        <ZoneName change={change} counts={countsText(lines)} />
      </DifferenceHead>
      {!records.isWhole && <p>The change has more records than are shown here.</p>}
      <DifferenceList lines={lines} empty="Only the serial differs." />
      <section aria-labelledby="timeline" className={look.stack}>
        <h2 id="timeline">Timeline</h2>
        <Events>
          <li>
            <b title={fullAuthor(change)}>{authorName(change)}</b> applied it{" "}
            <small className={look.soft}>
              · <Ago time={change.createdAt} />, {change.source.toLowerCase()}
            </small>
          </li>
        </Events>
      </section>
    </ChangePage>
  );
}

/** Where a change leads; `deleted` is the zone as it was last. */
function Places({ change: { id, zone, serial, kind, domain }, deleted }: Omit<AppliedProps, "records">) {
  if (deleted)
    return (
      <Link to="/settings/deleted/$domain" params={{ domain: deleted.domainId }} className={menuItemClass}>
        Its last state
      </Link>
    );
  if (!domain) return null;
  const at = { params: { zone }, className: menuItemClass };
  return (
    <>
      {kind !== "DELETE" && (
        <Link to="/zones/$zone/history/$moment" {...at} params={{ zone, moment: id }}>
          View zone at this moment
        </Link>
      )}
      {kind !== "DELETE" && domain.serial !== serial && (
        <Link to="/zones/$zone/history" {...at} search={{ from: String(serial), to: domain.serial }}>
          Compare with now
        </Link>
      )}
      <Link to="/zones/$zone/history" {...at}>
        History of the zone
      </Link>
    </>
  );
}
