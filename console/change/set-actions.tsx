/**
 * What the viewer may do with a change set as it is, as the service says: one main button, and the rest in a menu; the steps in which
 * somebody says something; how far it is approved, and who must do what with it next.
 */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { OnMissed } from "../api/generated/graphql.ts";
import { SetForm } from "../changesets/propose.tsx";
import {
  actionsOf,
  applySet,
  isOutdated,
  lookAgain,
  neededApprovals,
  type SetAtRevision,
  type SetPreview,
  type ShownSet,
  type SpokenStep,
  scheduleSet,
  takeStep,
} from "../changesets/queries.ts";
import { useConsent } from "../difference/confirm-removal.tsx";
import { setLossWords } from "../difference/loss.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { optionsOf } from "../parts/control/field.tsx";
import { MenuItem } from "../parts/control/menu.tsx";
import { AreaField, FormDialog, Question, SelectField, TextField, useForm } from "../parts/page/form.tsx";
import { Refusal } from "../parts/page/page.tsx";
import { authorName } from "../parts/text/author.ts";
import { exactText, utcText, zoneName } from "../parts/text/time.tsx";

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
  const [fingerprint, setFingerprint] = useState("");
  const atRevision = { id, revision: set.revision, fingerprint };
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
    setFingerprint(shown?.fingerprint ?? "");
    setOpen(step);
  };
  const apply = () => {
    if (lossWords) begin("LOSSES")();
    else if (shown) application.mutate(shown.fingerprint);
  };
  // The effect that a dialog is about went from the screen.
  const present = shown?.fingerprint;
  useEffect(() => {
    const isAbout = open === "APPROVE" || open === "SCHEDULE" || open === "LOSSES";
    if (isAbout && present && present !== fingerprint) setOpen(undefined);
  }, [open, present, fingerprint]);
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
        <Schedule seen={atRevision} lossWords={lossWords} onOutdated={onOutdated} onClose={close} />
      )}
      {open === "LOSSES" && lossWords && (
        <Question
          title="Apply, and lose records?"
          action="Apply"
          send={() => application.mutateAsync(fingerprint)}
          onSuccess={close}
          onClose={close}
        >
          This would {lossWords}.
        </Question>
      )}
      {step && <StepDialog step={step} seen={atRevision} onOutdated={onOutdated} onClose={close} />}
    </>
  );
  return { more, action };
}

/** The words of each step; without a title that of its button. */
const words: Readonly<Record<SpokenStep, { title?: string; action: string; hint: string; done: string }>> = {
  SUBMIT: {
    action: "Ask for review",
    hint: "What the reviewers are to know.",
    done: "The change waits for review.",
  },
  WITHDRAW: {
    title: "Withdraw from review",
    action: "Withdraw",
    hint: "It is a draft again.",
    done: "The change is a draft again.",
  },
  APPROVE: {
    title: "Approve what it would do",
    action: "Approve",
    hint: "It holds for the difference that is on the screen, until anything of that is another.",
    done: "The change is approved by you.",
  },
  REQUEST_CHANGES: {
    action: "Request changes",
    hint: "What is to be changed, for its author. It becomes a draft, and waits for you.",
    done: "Changes are requested.",
  },
  UNSCHEDULE: {
    action: "Unschedule",
    hint: "It is not applied at its time; it may be applied or scheduled as before.",
    done: "The change is not scheduled any more.",
  },
  CANCEL: {
    action: "Cancel the change",
    hint: "It is given up for good; what it holds can still be looked at.",
    done: "The change is cancelled.",
  },
};

interface AfterStep<Written> {
  readonly id: string;
  /** What is said once it is taken. */
  readonly done: string | ((written: Written) => string);
  /** Takes the sentence that says that the set is another by now; undefined once a step is taken. */
  readonly onOutdated: (sentence: string | undefined) => void;
  /** Called also where the set is another by now; with any other refusal the step can be tried again. */
  readonly onEnd: () => void;
}

/** What follows a step with a set: the set is read again. */
export const afterStep = <Written,>({ id, done, onOutdated, onEnd }: AfterStep<Written>) => ({
  onSuccess: (_: unknown, written: Written) => {
    announceResult(typeof done === "string" ? done : done(written));
    onOutdated(undefined);
    onEnd();
  },
  onError: (error: Error) => {
    if (!isOutdated(error)) return;
    onOutdated(error.message);
    onEnd();
  },
  onSettled: () => lookAgain(id),
});

interface StepDialogProps extends Pick<AfterStep<never>, "onOutdated"> {
  readonly step: SpokenStep;
  readonly seen: SetAtRevision & { readonly fingerprint: string };
  readonly onClose: () => void;
}

function StepDialog({ step, seen, onOutdated, onClose }: StepDialogProps) {
  const { action, title = action, hint, done } = words[step];
  const sending = useForm({
    values: { text: "" },
    mutationFn: ({ text }) => takeStep(step, seen, text),
    ...afterStep({ id: seen.id, done, onOutdated, onEnd: onClose }),
  });
  const kind = step === "CANCEL" ? "danger" : "primary";
  return (
    <FormDialog title={title} action={action} kind={kind} form={sending} onClose={onClose}>
      <AreaField name="text" label="Comment" hint={hint} required={step === "REQUEST_CHANGES"} />
    </FormDialog>
  );
}

export const missedWords: Readonly<Record<OnMissed, string>> = {
  APPLY: "it is applied late",
  SKIP: "it is not applied, and waits as before",
};

const hourMs = 3_600_000;

/** The next full hour but one, as the field writes it: local, without a zone. */
function firstTime(): string {
  const time = new Date(Math.ceil(Date.now() / hourMs) * hourMs + hourMs);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface ScheduleProps extends Omit<StepDialogProps, "step"> {
  /** What the set takes away that is asked about; undefined when there is nothing. */
  readonly lossWords: string | undefined;
}

/** The time is local, with that of UTC beside it. */
export function Schedule({ seen: { id, fingerprint }, lossWords, onOutdated, onClose }: ScheduleProps) {
  const scheduling = useForm({
    values: () => ({ applyAt: firstTime(), onMissed: "APPLY" as OnMissed }),
    mutationFn: ({ applyAt, onMissed }) =>
      scheduleSet({ changeSetId: id, applyAt: timeOf(applyAt), onMissed, expectedFingerprint: fingerprint }),
    ...afterStep<{ applyAt: string }>({
      id,
      done: ({ applyAt }) => `The change is scheduled for ${exactText(timeOf(applyAt))}.`,
      onOutdated,
      onEnd: onClose,
    }),
  });
  const time = timeOf(scheduling.values.applyAt);
  const consent = useConsent(lossWords);
  return (
    <FormDialog
      title="Schedule the change"
      action="Schedule"
      kind={lossWords ? "danger" : "primary"}
      isReady={time !== ""}
      form={scheduling}
      onSend={() => (consent.isGiven ? scheduling.mutate() : consent.demand())}
      onClose={onClose}
    >
      <TextField
        name="applyAt"
        label={`Apply at, local time (${zoneName})`}
        hint={`${time ? utcText(time) : "A date and a time"}. It is applied by the right of your key, if it still does just what is on the screen.`}
        type="datetime-local"
        step={1}
        required
      />
      <SelectField name="onMissed" label="If no service runs then" options={optionsOf(missedWords)} />
      {consent.question}
    </FormDialog>
  );
}

/** A local time as the service takes it; empty where it is not complete. */
function timeOf(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}

const namesOf = (list: NonNullable<ShownSet["reviews"]>) => list.map(authorName).join(", ");
const persons = (count: number) => (count === 1 ? "one other person" : `${count} other persons`);

/** The fingerprint is of what the set would do, as far as that is read. */
export function approvalsOf(set: ShownSet, fingerprint: string | undefined) {
  const { state, user } = set;
  const needed = neededApprovals(set);
  const valid = (set.reviews ?? []).filter((review) => review.valid);
  const approved = valid.filter(({ verdict }) => verdict === "APPROVE");
  // What was applied is what was approved.
  const counting = approved.filter((each) => state === "APPLIED" || !fingerprint || each.fingerprint === fingerprint);
  const asking = valid.filter(({ verdict }) => verdict === "REQUEST_CHANGES");
  const parts = [`${counting.length} of ${needed}${counting.length > 0 ? ` by ${namesOf(counting)}` : ""}`];
  if (counting.length < approved.length) parts.push("what was approved before was another effect");
  if (asking.length > 0) parts.push(`${namesOf(asking)} asked for changes`);
  const isSettled = state === "APPROVED" || state === "SCHEDULED";
  const isOutdated = isSettled && counting.length < Math.min(approved.length, needed);
  return {
    /** Whether it was approved, and would do something else by now. */
    isOutdated,
    text: needed === 0 && valid.length === 0 ? undefined : parts.join("; "),
    nextStep: nextStep(),
  };

  function nextStep(): string | undefined {
    const may = actionsOf(set);
    if (isOutdated)
      return "What it would do now is not what was approved, so that it cannot be applied as it is. Its author takes it out of review, stages it as it is to be, and submits it again.";
    if (state === "DRAFT" && needed > 0 && may("SUBMIT"))
      return `It is a draft: submit it for review, and ${persons(needed)} must approve it before it is applied.`;
    if (state === "IN_REVIEW" && may("APPROVE"))
      return "It waits for you: look at what it does, then approve it, or request changes.";
    if (state === "IN_REVIEW") {
      const left = Math.max(1, needed - (set.approvalCount ?? 0));
      const owner = user ? `, ${user.email}, or somebody who reviews for them` : "";
      return `It waits until ${persons(left)} ${left === 1 ? "has" : "have"} approved it: an administrator${owner}, who neither created it nor staged in it. Then it can be applied.`;
    }
    if (state === "APPROVED" && may("APPLY")) return "It is approved, and waits to be applied or scheduled.";
    return undefined;
  }
}
