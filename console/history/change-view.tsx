/**
 * One change: what it did, by whom, how far it is published, and the way to take it back.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { DifferenceList } from "../difference/difference-list.tsx";
import { Button } from "../parts/button.tsx";
import { Loading, Page } from "../parts/page.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { Ago } from "../parts/time.tsx";
import { maxEdits } from "../sheet/draft/draft.ts";
import { ChangeState } from "./changes-table.tsx";
import { countsText, fold } from "./fold.ts";
import css from "./history.module.css";
import { changeOptions, type ShownChange } from "./queries.ts";
import { deletedZoneOptions, RestoreZone } from "./restore-zone.tsx";

const route = getRouteApi("/shell/history/$change");

const kindWords = {
  CREATE: "The zone was created.",
  DELETE: "The zone was deleted.",
  RESTORE: "The deleted zone came back.",
  EDIT: "",
} as const;

export function ChangeView() {
  const { change: id } = route.useParams();
  const { readOnly } = useViewer();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(changeOptions(id));
  if (error)
    return (
      <Page title="Change">
        <Refusal error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data)
    return (
      <Page title="Change">
        <Loading />
      </Page>
    );
  const { change, records } = data;
  const lines = fold([records]);
  const mayUndo = !readOnly && change.kind === "EDIT" && change.domain !== null;
  const isTooLarge = !records.isWhole || lines.length > maxEdits;
  return (
    <Page
      title={`${change.domain?.zoneUnicode ?? change.zone} ${change.serial}`}
      beside={<ChangeState change={change} />}
      actions={
        mayUndo ? (
          <Button
            icon="undo"
            disabled={isTooLarge}
            onClick={() =>
              void navigate({ to: "/zones/$zone", params: { zone: change.zone }, search: { undo: change.id } })
            }
          >
            Undo…
          </Button>
        ) : (
          !readOnly && change.kind === "DELETE" && <Restore deletion={change} />
        )
      }
    >
      <dl className={css.facts}>
        <div>
          <dt>when</dt>
          <dd>
            <Ago time={change.createdAt} />
          </dd>
        </div>
        <div>
          <dt>by</dt>
          <dd>{change.actor}</dd>
        </div>
        <div>
          <dt>through</dt>
          <dd>{change.door.toLowerCase()}</dd>
        </div>
        <div>
          <dt>serial</dt>
          <dd>
            {change.previousSerial === null || change.kind === "DELETE" ? "" : `${change.previousSerial} → `}
            {change.serial}
          </dd>
        </div>
        {change.domain && (
          <div>
            <dt>zone</dt>
            <dd>
              <Link to="/zones/$zone" params={{ zone: change.zone }}>
                {change.domain.zoneUnicode}
              </Link>
              ,{" "}
              <Link to="/zones/$zone/history" params={{ zone: change.zone }}>
                its history
              </Link>
            </dd>
          </div>
        )}
      </dl>
      {change.note && <p className={css.quote}>{change.note}</p>}
      <h2>{kindWords[change.kind] || countsText(lines)}</h2>
      {!records.isWhole && <p>The change has more records than are shown here.</p>}
      {mayUndo && isTooLarge && (
        <p>It is too large to be taken back here; import the zone file of before with “replace” instead.</p>
      )}
      <DifferenceList lines={lines} empty="Only the serial differs." />
    </Page>
  );
}

/** The button that brings the deleted zone back, unless it is back already. */
function Restore({ deletion }: { readonly deletion: ShownChange }) {
  const { data: deleted } = useQuery(deletedZoneOptions(deletion));
  const [isOpen, setOpen] = useState(false);
  if (!deleted) return null;
  return (
    <>
      <Button icon="undo" onClick={() => setOpen(true)}>
        Restore…
      </Button>
      {isOpen && <RestoreZone deleted={deleted} onClose={() => setOpen(false)} />}
    </>
  );
}
