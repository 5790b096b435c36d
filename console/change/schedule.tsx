/** When a change set is applied: a local time with that of UTC beside it, and what happens if no service runs then. */
import { useState } from "react";
import type { OnMissed } from "../api/generated/graphql.ts";
import { scheduleSet } from "../changesets/steps.ts";
import { useConsent } from "../difference/confirm-removal.tsx";
import { Field, optionsOf, Select } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { exactText, utcText, zoneName } from "../parts/text/time.tsx";
import { afterStep, type StepEnd } from "./step-dialog.tsx";

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
