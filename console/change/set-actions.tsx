/** What the viewer may do with a change set as it is, as the service says: one main button, and the rest in a menu. */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { actionsOf, lookAgain, type SetPreview, type ShownSet } from "../changesets/queries.ts";
import { SetForm } from "../changesets/set-form.tsx";
import { applySet, isOutdated, type SpokenStep } from "../changesets/steps.ts";
import { setLossWords } from "../difference/loss.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { MenuItem } from "../parts/control/menu.tsx";
import { Question } from "../parts/page/form-dialog.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { neededApprovals } from "./approvals.ts";
import { Schedule, StepDialog } from "./step-dialog.tsx";

interface SetActionsProps {
  readonly set: ShownSet;
  /** What the set would do, as it is on the screen: that is approved and applied; undefined while it is read. */
  readonly shown: SetPreview | undefined;
  readonly isSpent: boolean;
  /** Called with why, when the set is not what is on the screen, and with nothing when it is again. */
  readonly onOutdated: (sentence: string | undefined) => void;
}

/** The rows of the menu, and the main button by the state of the set, with the dialogs that they open. */
export function useSetActions({ set, shown, isSpent, onOutdated }: SetActionsProps) {
  const { id, state } = set;
  const [open, setOpen] = useState<SpokenStep | "EDIT" | "LOSSES" | "SCHEDULE">();
  const [seen, setSeen] = useState("");
  const may = actionsOf(set);
  const application = useMutation({
    mutationFn: (fingerprint: string) => applySet(id, fingerprint),
    onSuccess: (applied) => {
      if (applied === "APPLYING") announceResult("The change is being applied, zone by zone.");
      else announceResult(applied === "PARTIAL" ? "Some of its zones were refused." : "The change is applied.");
      onOutdated(undefined);
    },
    onError: (error) => {
      if (isOutdated(error)) onOutdated(error.message);
    },
    onSettled: () => {
      setOpen(undefined);
      void lookAgain(id);
      document.getElementById("page")?.focus();
    },
  });
  const lossWords = shown && setLossWords(shown);
  const begin = (step: SpokenStep | "LOSSES" | "SCHEDULE") => () => {
    setSeen(shown?.fingerprint ?? "");
    setOpen(step);
  };
  const apply = () => {
    if (lossWords) begin("LOSSES")();
    else if (shown) application.mutate(shown.fingerprint);
  };
  // The effect that a dialog is about went from the screen.
  const fingerprint = shown?.fingerprint;
  useEffect(() => {
    const isAbout = open === "APPROVE" || open === "SCHEDULE" || open === "LOSSES";
    if (isAbout && fingerprint && fingerprint !== seen) setOpen(undefined);
  }, [open, fingerprint, seen]);
  const close = () => setOpen(undefined);
  const step = open === "EDIT" || open === "LOSSES" || open === "SCHEDULE" ? undefined : open;
  const isApplicable = shown?.applicable === true && !isSpent;
  const maySchedule = may("SCHEDULE") && isApplicable;
  const mayCancel = may("CANCEL") && !isSpent;
  const mayEdit = may("STAGE") && state === "DRAFT";
  const more = (mayEdit || maySchedule || mayCancel || may("REQUEST_CHANGES") || may("WITHDRAW")) && (
    <>
      {mayEdit && <MenuItem onClick={() => setOpen("EDIT")}>Edit…</MenuItem>}
      {may("REQUEST_CHANGES") && (
        <MenuItem disabled={!shown} onClick={begin("REQUEST_CHANGES")}>
          Request changes…
        </MenuItem>
      )}
      {maySchedule && <MenuItem onClick={begin("SCHEDULE")}>Schedule…</MenuItem>}
      {may("WITHDRAW") && <MenuItem onClick={begin("WITHDRAW")}>Withdraw…</MenuItem>}
      {mayCancel && (
        <MenuItem danger onClick={begin("CANCEL")}>
          Cancel the change…
        </MenuItem>
      )}
    </>
  );
  const action = (
    <>
      {may("APPROVE") ? (
        <Button kind="primary" disabled={!shown} onClick={begin("APPROVE")}>
          Approve…
        </Button>
      ) : may("SUBMIT") && neededApprovals(set) > 0 ? (
        <Button kind="primary" disabled={!isApplicable} onClick={begin("SUBMIT")}>
          Ask for review…
        </Button>
      ) : may("UNSCHEDULE") ? (
        <Button onClick={begin("UNSCHEDULE")}>Unschedule…</Button>
      ) : isSpent && may("CANCEL") ? (
        <Button kind="danger" onClick={begin("CANCEL")}>
          Cancel the change…
        </Button>
      ) : (
        may("APPLY") && (
          <Button kind="primary" disabled={!isApplicable} busy={application.isPending} onClick={apply}>
            Apply
          </Button>
        )
      )}
      {application.error && !isOutdated(application.error) && <Refusal error={application.error} />}
      {open === "EDIT" && <SetForm set={set} onClose={close} />}
      {open === "SCHEDULE" && (
        <Schedule id={id} fingerprint={seen} lossWords={lossWords} onOutdated={onOutdated} onClose={close} />
      )}
      {open === "LOSSES" && lossWords && (
        <Question
          title="Apply, and lose records?"
          action="Apply"
          send={() => application.mutateAsync(seen)}
          onSent={close}
          onClose={close}
        >
          This would {lossWords}.
        </Question>
      )}
      {step && (
        <StepDialog
          step={step}
          seen={{ id, revision: set.revision, fingerprint: seen }}
          onOutdated={onOutdated}
          onClose={close}
        />
      )}
    </>
  );
  return { more, action };
}
