/**
 * Undoing what is applied: of one zone a draft of the opposite in its sheet, of several a change that waits to be applied. Where later
 * changes touched the same records, the page asks what of it is undone.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { RevertChangesInput } from "../api/generated/graphql.ts";
import { readAgain } from "../api/queries.ts";
import { graphql, Refused, run } from "../api/run.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions } from "../parts/control/dialog.tsx";
import look from "../parts/look.module.css";
import { Refusal } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { Blame } from "./moment/blame.tsx";

const revertChanges = graphql(`
  mutation RevertChanges($input: RevertChangesInput!) {
    revertChanges(input: $input) {
      changeSet { id }
      preview { changedZoneCount }
    }
  }
`);

const laterChange = graphql(`
  query LaterChange($id: ID!) {
    change(id: $id) { ...Author }
  }
`);

/** Later changes that are shown at most, the newest. */
const maxShown = 10;

interface Undone {
  /** The ids of the changes. */
  readonly changeIds: readonly string[];
  /** The changes otherwise, such as by their change set. */
  readonly by?: RevertChangesInput["by"];
  readonly title: string;
  /** The change and its zone, where its opposite can be a draft of the zone's sheet. */
  readonly draft?: { readonly zone: string; readonly undo: string } | undefined;
  /** The words of the button. */
  readonly words?: string;
}

/** The button, and the question above the difference once it was pressed. */
export function useUndo({ changeIds, by = { changeIds: [...changeIds] }, title, draft, words = "Undo…" }: Undone) {
  const navigate = useNavigate();
  const undoing = useMutation({
    mutationFn: async (options: Partial<RevertChangesInput>) => {
      // A draft is of the sheet: here it is only found out whether something is in its way.
      const dryRun = draft !== undefined && options.by === undefined;
      const input = { by, title: `Undo: ${title}`.slice(0, 200), dryRun, ...options };
      return (await run(revertChanges, { input })).revertChanges;
    },
    onSuccess: async (result) => {
      if (!result?.preview) return announceResult("Nothing is left to be undone: all is as it was before already.");
      if (result.changeSet) {
        readAgain("change-sets");
        return navigate({ to: "/changes/$change", params: { change: result.changeSet.id } });
      }
      if (draft) return navigate({ to: "/zones/$zone", params: { zone: draft.zone }, search: { undo: draft.undo } });
    },
  });
  const { error, mutate, isPending } = undoing;
  const button = (
    <Button icon="undo" busy={isPending} onClick={() => mutate({})}>
      {words}
    </Button>
  );
  const isConflict = error instanceof Refused && error.code === "CHANGE_CONFLICT";
  const later = isConflict ? ((error.body.details?.changeIds ?? []) as readonly string[]) : [];
  const all = [...changeIds, ...later];
  const question =
    error &&
    (later.length === 0 ? (
      <Refusal error={error} />
    ) : (
      <div role="alert" className={look.message}>
        <p>
          <b>{counted(later.length, "later change")} touched the same records.</b>
        </p>
        <ul>
          {later.slice(0, maxShown).map((id) => (
            <Later key={id} id={id} />
          ))}
        </ul>
        <Actions>
          <Button onClick={() => mutate(draft ? { skipConflicts: true } : { by, skipConflicts: true })}>
            Undo what is left
          </Button>
          <Button onClick={() => mutate({ by: { changeIds: all } })}>Undo all {all.length} changes</Button>
        </Actions>
      </div>
    ));
  return { button, question };
}

/** A later change, by whom and when. */
function Later({ id }: { readonly id: string }) {
  const { data: change } = useQuery({
    queryKey: ["later-change", id],
    queryFn: async ({ signal }) => (await run(laterChange, { id }, signal)).change ?? null,
  });
  return (
    <li>
      <Link to="/changes/$change" params={{ change: id }}>
        {change?.serial ?? id}
      </Link>{" "}
      {change && <Blame change={change} />}
    </li>
  );
}
