/**
 * A change of one zone that is applied: what it did, by whom, on which servers it is, and the way to take it back.
 */

import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { DifferenceHead } from "../difference/arrangement.tsx";
import { DifferenceList } from "../difference/difference-list.tsx";
import { type ChangedRecords, countsText, fold } from "../difference/fold.ts";
import { ChangeState, Return } from "../history/change-state.tsx";
import { type DeletedZone, deletedZoneOptions } from "../history/deleted/deleted-queries.ts";
import { RestoreButton } from "../history/deleted/restore-zone.tsx";
import { changeOptions, type ShownChange, titleOfChange } from "../history/queries.ts";
import { useUndo } from "../history/undo.tsx";
import { menuItemClass } from "../parts/control/menu.tsx";
import look from "../parts/look.module.css";
import { Reading } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Page } from "../parts/page/page.tsx";
import { applierOf, authorName, fullAuthor } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
import { Ago, Exact } from "../parts/text/time.tsx";
import { maxEdits } from "../sheet/draft/draft.ts";
import { ChangePage, Detail, Pill, Section, titleOf } from "./change-page.tsx";
import { OnServers } from "./on-servers.tsx";
import { Events } from "./timeline.tsx";

export function ChangeView({ id }: { readonly id: string }) {
  const query = useQuery(changeOptions(id));
  const { data: deleted } = useQuery({
    ...deletedZoneOptions(query.data?.change ?? { id, zone: "", serial: 0, createdAt: "" }),
    enabled: query.data?.change.kind === "DELETE",
  });
  if (!query.data || query.error)
    return (
      <Page title="Change">
        <Reading query={query} />
      </Page>
    );
  const { changeSet, zone } = query.data.change;
  if (changeSet) return <Navigate to="/changes/$change" params={{ change: changeSet.id }} hash={zone} replace />;
  return <Applied {...query.data} deleted={deleted ?? undefined} />;
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
  const lines = fold([records]);
  const whole = titleOfChange(change);
  const title = titleOf(whole);
  const mayUndo = !readOnly && kind === "EDIT" && domain !== null && !undoneBy;
  const isDraft = records.isWhole && lines.length <= maxEdits && !lines.some(({ row }) => row.type === "SOA");
  const undo = useUndo({
    by: { changeIds: [id] },
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
          <ChangeState change={change} />
          <span title={fullAuthor(change)}>
            by {authorName(change)}, <Ago time={change.createdAt} />
          </span>
          <Return change={change} />
        </>
      }
      more={<Places change={change} deletedId={deleted?.domainId} />}
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

interface ZoneNameProps {
  readonly change: Pick<ShownChange, "id" | "zone" | "serial" | "kind"> & {
    readonly domain: { readonly zoneUnicode: string } | null;
  };
  readonly counts?: string | undefined;
}

/** The zone of a change, how many records it changed, and its serial, which leads to the zone as it was then. */
export function ZoneName({ change: { id, zone, serial, kind, domain }, counts }: ZoneNameProps) {
  return (
    <div className={look.line}>
      <h2>
        {domain ? (
          <Link to="/zones/$zone" params={{ zone }} className={look.plain}>
            {domain.zoneUnicode}
          </Link>
        ) : (
          unicodeText(zone)
        )}
      </h2>
      {counts && <code>{counts}</code>}
      {domain && kind !== "DELETE" ? (
        <Link
          to="/zones/$zone/history/$moment"
          params={{ zone, moment: id }}
          className={look.soft}
          title="The zone at this moment"
        >
          <code>{serial}</code>
        </Link>
      ) : (
        <code className={look.soft}>{serial}</code>
      )}
    </div>
  );
}

interface PlacesProps {
  readonly change: ShownChange;
  /** Of the zone as it was last, where it is deleted. */
  readonly deletedId: string | undefined;
}

/** Where a change leads. */
function Places({ change: { id, zone, serial, kind, domain }, deletedId }: PlacesProps) {
  if (deletedId !== undefined)
    return (
      <Link to="/settings/deleted/$domain" params={{ domain: deletedId }} className={menuItemClass}>
        Its last state
      </Link>
    );
  if (!domain) return null;
  return (
    <>
      {kind !== "DELETE" && (
        <>
          <Link to="/zones/$zone/history/$moment" params={{ zone, moment: id }} className={menuItemClass}>
            View zone at this moment
          </Link>
          {domain.serial !== serial && (
            <Link
              to="/zones/$zone/history"
              params={{ zone }}
              search={{ from: String(serial), to: domain.serial }}
              className={menuItemClass}
            >
              Compare with now
            </Link>
          )}
        </>
      )}
      <Link to="/zones/$zone/history" params={{ zone }} className={menuItemClass}>
        History of the zone
      </Link>
    </>
  );
}
