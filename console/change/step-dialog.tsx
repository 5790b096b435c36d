/** A step with a change set, and what its actor says about it; and when it is applied. */
import { useState } from "react";
import type { OnMissed } from "../api/generated/graphql.ts";
import { lookAgain } from "../changesets/queries.ts";
import { isOutdated, type SetAtRevision, type SpokenStep, scheduleSet, takeStep } from "../changesets/steps.ts";
import { useConsent } from "../difference/confirm-removal.tsx";
import { announceResult } from "../parts/control/announce.tsx";
import { Field, optionsOf, Select, TextArea } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { exactText, utcText, zoneName } from "../parts/text/time.tsx";

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

export interface StepEnd {
  /** Takes the sentence that says that the set is another by now; undefined once a step is taken. */
  readonly onOutdated: (sentence: string | undefined) => void;
  readonly onClose: () => void;
}

/** Says that a step is taken and closes its dialog, also where the set is another by now; any other refusal stays in the dialog. */
export const afterStep = (id: string, done: string, { onOutdated, onClose }: StepEnd) => ({
  onSuccess: () => {
    announceResult(done);
    onOutdated(undefined);
    onClose();
  },
  onError: (error: Error) => {
    if (!isOutdated(error)) return;
    onOutdated(error.message);
    onClose();
  },
  onSettled: () => lookAgain(id),
});

interface StepDialogProps extends StepEnd {
  readonly step: SpokenStep;
  readonly seen: SetAtRevision & { readonly fingerprint: string };
}

export function StepDialog({ step, seen, ...end }: StepDialogProps) {
  const [text, setText] = useState("");
  const { action, title = action, hint, done } = words[step];
  const sending = useForm({
    fields: ["text"],
    mutationFn: () => takeStep(step, seen, text),
    ...afterStep(seen.id, done, end),
  });
  return (
    <FormDialog
      title={title}
      action={action}
      kind={step === "CANCEL" ? "danger" : "primary"}
      form={sending}
      onClose={end.onClose}
    >
      <Field label="Comment" error={sending.errorOf("text")} hint={hint}>
        <TextArea required={step === "REQUEST_CHANGES"} value={text} onChange={setText} />
      </Field>
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

interface ScheduleProps extends StepEnd {
  readonly id: string;
  /** What the set would do, as the person saw it. */
  readonly fingerprint: string;
  /** What it takes away that is asked about; undefined when there is nothing. */
  readonly lossWords: string | undefined;
}

/** The time is local, with that of UTC beside it. */
export function Schedule({ id, fingerprint, lossWords, ...end }: ScheduleProps) {
  const [local, setLocal] = useState(firstTime);
  const [onMissed, setOnMissed] = useState<OnMissed>("APPLY");
  const time = new Date(local);
  const isTime = !Number.isNaN(time.getTime());
  const applyAt = isTime ? time.toISOString() : "";
  const scheduling = useForm({
    fields: ["applyAt", "onMissed"],
    mutationFn: () => scheduleSet({ changeSetId: id, applyAt, onMissed, expectedFingerprint: fingerprint }),
    ...afterStep(id, `The change is scheduled for ${exactText(applyAt)}.`, end),
  });
  const consent = useConsent(lossWords);
  return (
    <FormDialog
      title="Schedule the change"
      action="Schedule"
      kind={lossWords ? "danger" : "primary"}
      isReady={isTime}
      form={scheduling}
      onSend={() => (consent.isGiven ? scheduling.mutate() : consent.demand())}
      onClose={end.onClose}
    >
      <Field
        label={`Apply at, local time (${zoneName})`}
        error={scheduling.errorOf("applyAt")}
        hint={`${isTime ? utcText(applyAt) : "A date and a time"}. It is applied by the right of your key, if it still does just what is on the screen.`}
      >
        <input
          type="datetime-local"
          step={1}
          required
          value={local}
          onChange={(event) => setLocal(event.target.value)}
        />
      </Field>
      <Field label="If no service runs then" error={scheduling.errorOf("onMissed")}>
        <Select value={onMissed} options={optionsOf(missedWords)} onChange={setOnMissed} />
      </Field>
      {consent.question}
    </FormDialog>
  );
}
