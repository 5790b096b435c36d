/**
 * One change: what it did, by whom, how far it is published, and the way to take it back.
 */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { DifferenceHead } from "../difference/arrangement.tsx";
import { DifferenceList } from "../difference/difference-list.tsx";
import { countsText, fold } from "../difference/fold.ts";
import { Button, buttonClass } from "../parts/control/button.tsx";
import { Reading } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Fact, Page } from "../parts/page/page.tsx";
import { applierOf, fullAuthor } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
import { Ago } from "../parts/text/time.tsx";
import { ChangeState, isOfReturn, Return } from "./changes-table.tsx";
import { deletedZoneOptions, RestoreZone } from "./deleted/restore-zone.tsx";
import { changeOptions, type ShownChange } from "./queries.ts";
import { UndoChange } from "./undo/going-back.tsx";

const kindWords = {
  CREATE: "The zone was created.",
  DELETE: "The zone was deleted.",
  RESTORE: "The deleted zone came back.",
  EDIT: "",
} as const;

interface ChangeViewProps {
  readonly id: string;
  /** The id of the change that is to be undone: a link in the dialog may lead to another. */
  readonly undone: string | undefined;
  readonly onUndo: (id: string | undefined) => void;
}

export function ChangeView({ id, undone, onUndo }: ChangeViewProps) {
  const { readOnly } = useViewer();
  const query = useQuery(changeOptions(id));
  if (!query.data || query.error)
    return (
      <Page title="Change">
        <Reading query={query} />
      </Page>
    );
  const { change, records } = query.data;
  const lines = fold([records]);
  const mayUndo = !readOnly && change.kind === "EDIT" && change.domain !== null;
  return (
    <Page
      title={`${change.domain?.zoneUnicode ?? unicodeText(change.zone)} ${change.serial}`}
      beside={<ChangeState change={change} />}
      actions={
        <>
          {change.domain && change.kind !== "DELETE" && (
            <Link
              to="/zones/$zone/history/$moment"
              params={{ zone: change.zone, moment: change.id }}
              className={buttonClass()}
            >
              Zone then
            </Link>
          )}
          {mayUndo && (
            <Button icon="undo" onClick={() => onUndo(id)}>
              Undo…
            </Button>
          )}
          {change.kind === "DELETE" && <Deleted deletion={change} readOnly={readOnly} />}
        </>
      }
    >
      <dl className={page.facts}>
        <Fact name="when">
          <Ago time={change.createdAt} />
        </Fact>
        <Fact name="by">{fullAuthor(change)}</Fact>
        {applierOf(change) !== undefined && <Fact name="applied by">{applierOf(change)}</Fact>}
        <Fact name="through">{change.source.toLowerCase()}</Fact>
        <Fact name="serial">
          {change.previousSerial === null || change.kind === "DELETE" ? "" : `${change.previousSerial} → `}
          {change.serial}
        </Fact>
        {change.domain && (
          <Fact name="zone">
            <Link to="/zones/$zone" params={{ zone: change.zone }}>
              {change.domain.zoneUnicode}
            </Link>
            ,{" "}
            <Link to="/zones/$zone/history" params={{ zone: change.zone }}>
              its history
            </Link>
          </Fact>
        )}
      </dl>
      {change.note && !isOfReturn(change) && <p className={page.quote}>{change.note}</p>}
      <Return change={change} />
      <DifferenceHead isSwitched={lines.length > 0}>
        <h2>{kindWords[change.kind] || countsText(lines)}</h2>
      </DifferenceHead>
      {!records.isWhole && <p>The change has more records than are shown here.</p>}
      <DifferenceList lines={lines} empty="Only the serial differs." />
      {undone === id && (
        <UndoChange
          zone={change.zone}
          change={change}
          lines={records.isWhole ? lines : undefined}
          onClose={() => onUndo(undefined)}
        />
      )}
    </Page>
  );
}

interface DeletedProps {
  readonly deletion: ShownChange;
  readonly readOnly: boolean;
}

/** The deleted zone as it was last, and what brings it back, unless it is back already. */
function Deleted({ deletion, readOnly }: DeletedProps) {
  const { data: deleted } = useQuery(deletedZoneOptions(deletion));
  const [isOpen, setOpen] = useState(false);
  if (!deleted) return null;
  return (
    <>
      <Link to="/settings/deleted/$domain" params={{ domain: deleted.domainId }} className={buttonClass()}>
        Its last state
      </Link>
      {!readOnly && (
        <Button icon="undo" onClick={() => setOpen(true)}>
          Restore…
        </Button>
      )}
      {isOpen && <RestoreZone deleted={deleted} onClose={() => setOpen(false)} />}
    </>
  );
}
