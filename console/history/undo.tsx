/**
 * Takes a change back: shows what the service would do, by a dry run of the inverse, and does exactly that when it is confirmed.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { queries } from "../app/queries.ts";
import { announce } from "../parts/announce.tsx";
import { Button } from "../parts/button.tsx";
import { Actions, Dialog } from "../parts/dialog.tsx";
import { Loading } from "../parts/page.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { Difference } from "./difference.tsx";
import { type DifferenceRow, fold } from "./fold.ts";
import { inverseOf } from "./inverse.ts";
import type { ShownChange } from "./queries.ts";

const presentSerial = graphql(`
  query PresentSerial($zone: String!) {
    domain(by: { zone: $zone }) {
      serial
    }
  }
`);

const undoChange = graphql(`
  mutation UndoChange($input: ChangeRecordsInput!) {
    changeRecords(input: $input) {
      change {
        id
        serial
      }
      added {
        recordId
        owner
        type
        ttl
        rdata
      }
      removed {
        recordId
        owner
        type
        ttl
        rdata
      }
      warnings
    }
  }
`);

interface UndoProps {
  readonly change: ShownChange;
  readonly rows: readonly DifferenceRow[];
  readonly onClose: () => void;
}

export function Undo({ change, rows, onClose }: UndoProps) {
  const navigate = useNavigate();
  const inputAt = (expectedSerial: number | undefined) => ({
    zone: change.zone,
    ...inverseOf(rows),
    ...(expectedSerial !== undefined && { expectedSerial }),
    note: `undo of ${change.serial}`,
  });
  const review = useQuery({
    queryKey: ["undo", change.id],
    queryFn: async ({ signal }) => {
      const { domain } = await run(presentSerial, { zone: change.zone }, signal);
      const { changeRecords } = await run(undoChange, { input: { ...inputAt(domain?.serial), dryRun: true } }, signal);
      return { serial: domain?.serial, result: changeRecords };
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const undo = useMutation({
    mutationFn: () => run(undoChange, { input: inputAt(review.data?.serial) }),
    onSuccess: async ({ changeRecords }) => {
      const done = changeRecords?.change;
      announce(done ? `Committed as ${done.serial}.` : "There was nothing to take back.");
      onClose();
      void queries.invalidateQueries({ queryKey: ["history"] });
      if (done) await navigate({ to: "/history/$change", params: { change: done.id } });
    },
  });
  const result = review.data?.result;
  const difference = result ? fold([result]) : [];
  const isEmpty = result !== undefined && result !== null && difference.length === 0;
  return (
    <Dialog
      title={`Undo ${change.serial} of ${change.domain?.zoneUnicode ?? change.zone}`}
      onClose={onClose}
      width="wide"
    >
      {review.isFetching && <Loading what="The service looks what it would change…" />}
      {review.error && <Refusal error={review.error} onRetry={() => void review.refetch()} />}
      {isEmpty && <p>The zone is already as it was before this change.</p>}
      {difference.length > 0 && <Difference rows={difference} label="What will change" />}
      {result?.warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {undo.error && <Refusal error={undo.error} onRetry={() => void review.refetch().then(() => undo.reset())} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={!result || isEmpty} busy={undo.isPending} onClick={() => undo.mutate()}>
          Undo the change
        </Button>
      </Actions>
    </Dialog>
  );
}
