/**
 * A change of one zone that is applied: what it did, by whom, on which servers it is, and the way to take it back.
 */
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { DifferenceHead } from "../difference/arrangement.tsx";
import { DifferenceList } from "../difference/difference-list.tsx";
import { countsText, fold } from "../difference/fold.ts";
import { ChangeState, isOfReturn, Return } from "../history/changes-table.tsx";
import { deletedZoneOptions, RestoreZone } from "../history/deleted/restore-zone.tsx";
import { changeOptions, type ShownChange } from "../history/queries.ts";
import { UndoChange } from "../history/undo/going-back.tsx";
import { Button } from "../parts/control/button.tsx";
import { menuItemClass } from "../parts/control/menu.tsx";
import { Reading } from "../parts/page/list.tsx";
import { Page } from "../parts/page/page.tsx";
import { applierOf, authorName, fullAuthor } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
import { Ago, Exact } from "../parts/text/time.tsx";
import css from "./change.module.css";
import { ChangePage, Detail, Details, Pill, Section, titleOf } from "./change-page.tsx";
import { OnServers } from "./on-servers.tsx";
import { Events } from "./timeline.tsx";

const kindWords = {
  CREATE: "The zone was created.",
  DELETE: "The zone was deleted.",
  RESTORE: "The deleted zone came back.",
  EDIT: "",
} as const;

export function ChangeView({ id }: { readonly id: string }) {
  const { readOnly } = useViewer();
  const query = useQuery(changeOptions(id));
  const [undone, setUndone] = useState(false);
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
  const { change, records } = query.data;
  const { zone, serial, previousSerial, kind, domain, changeSet } = change;
  if (changeSet) return <Navigate to="/changes/$change" params={{ change: changeSet.id }} hash={zone} replace />;
  const lines = fold([records]);
  const name = domain?.zoneUnicode ?? unicodeText(zone);
  const note = change.note && !isOfReturn(change) ? change.note : "";
  const title = titleOf(note || kindWords[kind] || change.summary || name);
  const mayUndo = !readOnly && kind === "EDIT" && domain !== null;
  return (
    <ChangePage
      title={title}
      facts={
        <>
          <Pill>Applied</Pill>
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
          {mayUndo && (
            <Button icon="undo" onClick={() => setUndone(true)}>
              Undo…
            </Button>
          )}
          {deleted && !readOnly && <Restore deleted={deleted} />}
        </>
      }
      aside={
        <>
          <OnServers id={id} />
          <Section title="Details">
            <Details>
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
            </Details>
          </Section>
        </>
      }
    >
      {note !== "" && note !== title && <p className={css.said}>{note}</p>}
      <DifferenceHead isSwitched={lines.length > 0}>
        <ZoneName change={change} counts={countsText(lines)} />
      </DifferenceHead>
      {kindWords[kind] !== "" && title !== kindWords[kind] && <p>{kindWords[kind]}</p>}
      {!records.isWhole && <p>The change has more records than are shown here.</p>}
      <DifferenceList lines={lines} empty="Only the serial differs." />
      <section aria-labelledby="timeline">
        <h2 id="timeline">Timeline</h2>
        <Events>
          <li>
            <b title={fullAuthor(change)}>{authorName(change)}</b> applied it{" "}
            <small>
              · <Ago time={change.createdAt} />, {change.source.toLowerCase()}
            </small>
          </li>
        </Events>
      </section>
      {undone && (
        <UndoChange
          zone={zone}
          change={change}
          lines={records.isWhole ? lines : undefined}
          onClose={() => setUndone(false)}
        />
      )}
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
    <div className={css.zone}>
      <h2>
        {domain ? (
          <Link to="/zones/$zone" params={{ zone }}>
            {domain.zoneUnicode}
          </Link>
        ) : (
          unicodeText(zone)
        )}
      </h2>
      {counts && <span className={css.counts}>{counts}</span>}
      {domain && kind !== "DELETE" ? (
        <Link
          to="/zones/$zone/history/$moment"
          params={{ zone, moment: id }}
          className={css.serial}
          title="The zone at this moment"
        >
          {serial}
        </Link>
      ) : (
        <span className={css.serial}>{serial}</span>
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

/** What brings a deleted zone back. */
function Restore({ deleted }: { readonly deleted: Parameters<typeof RestoreZone>[0]["deleted"] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="undo" onClick={() => setOpen(true)}>
        Restore…
      </Button>
      {isOpen && <RestoreZone deleted={deleted} onClose={() => setOpen(false)} />}
    </>
  );
}
