/** Edits of a zone become a change that others review, or are added to one that is open, in place of being applied. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ReviewPolicy, StageZoneInput } from "../api/generated/graphql.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Choice, Field, Fields, Select } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { sentenceOf } from "../parts/page/refusal.tsx";
import { changeSetsOptions, lookAgain, openStates, stateWords } from "./queries.ts";
import { SetFields, wordFields } from "./set-form.tsx";
import { createSet, isOutdated, type SetWords, stageIn, submitSet } from "./steps.ts";

interface ProposeProps {
  readonly edits: StageZoneInput | undefined;
  readonly title: string;
  readonly demanded: ReviewPolicy;
  /** Called when the edits are in a change set, and only then. */
  readonly onProposed: () => void;
  readonly onOutdated: () => void;
}

/** How many approvals a new set asks for at first, by the review that the zone demands. */
const firstApprovals: Readonly<Record<ReviewPolicy, number>> = { NONE: 1, CHANGE_SET: 0, ONE: 1, TWO: 2 };

/** The form of it: its fields, its sending, and the words of its button. */
export function useProposal({ edits, title, demanded, onProposed, onOutdated }: ProposeProps) {
  const [written, setWords] = useState<Partial<SetWords>>({});
  const words: SetWords = {
    title,
    description: "",
    requestedApprovals: firstApprovals[demanded],
    ...written,
  };
  const [chosen, choose] = useState("");
  const [submits, setSubmits] = useState(true);
  const navigate = useNavigate();
  const open =
    useInfiniteQuery({
      ...changeSetsOptions({ states: [...openStates] }),
      enabled: edits !== undefined,
    }).data?.pages.flatMap(({ nodes }) => nodes) ?? [];
  const openOptions = open.map(({ id, title: name, state }) => [id, `${name} (${stateWords[state]})`] as const);
  const isReviewed = words.requestedApprovals > 0 || demanded === "ONE" || demanded === "TWO";
  const isSubmitted = chosen === "" && submits && isReviewed;
  const form = useForm({
    fields: chosen === "" ? wordFields : [],
    // Returns the set that has the edits, and why it was not submitted.
    mutationFn: async (): Promise<{ set: string; failure?: string | undefined }> => {
      if (!edits) throw new Error("There are no edits.");
      if (chosen !== "") {
        await stageIn(chosen, edits);
        return { set: chosen };
      }
      const set = await createSet(words, [edits]);
      // The edits are in the set, whatever becomes of this.
      const failure = isSubmitted ? await submitSet(set).then(() => undefined, sentenceOf) : undefined;
      return { set: set.id, failure };
    },
    onSuccess: async ({ set, failure }) => {
      onProposed();
      if (failure !== undefined) announceResult("The edits are in the change.", [`It is a draft. ${failure}`]);
      else if (isSubmitted) announceResult("The edits wait for review.");
      else announceResult("The edits are in the change.");
      void lookAgain(set);
      await navigate({ to: "/changes/$change", params: { change: set }, replace: true });
    },
    onError: (error) => {
      if (isOutdated(error)) onOutdated();
    },
  });
  const fields = (
    <Fields>
      {open.length > 0 && (
        <Field label="Change">
          <Select value={chosen} options={[["", "a new one"], ...openOptions]} onChange={choose} />
        </Field>
      )}
      {chosen === "" ? (
        <>
          <SetFields words={words} onChange={setWords} error={form.errorOf} />
          {isReviewed && (
            <Choice
              label="Ask for its review at once"
              hint="Without it, it is a draft, to which edits of other zones can be added."
              checked={submits}
              onChange={setSubmits}
            />
          )}
        </>
      ) : (
        <p>
          What was approved of it is to be approved again, and it loses its schedule.
          {edits?.import && ` What it has for ${edits.import.zone} is replaced.`}
        </p>
      )}
    </Fields>
  );
  return { fields, form, action: chosen === "" ? "Ask for review" : "Add" };
}

/** The same in a dialog, for what is no draft of a sheet. */
export function Propose({ onClose, ...rest }: ProposeProps & { readonly onClose: () => void }) {
  const { fields, form, action } = useProposal(rest);
  return (
    <FormDialog title="Ask for review" action={action} form={form} onClose={onClose}>
      {fields}
    </FormDialog>
  );
}
