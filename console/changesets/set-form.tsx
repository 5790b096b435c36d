/**
 * The words of a change set, for one that is created or edited.
 */
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { announceResult } from "../parts/control/announce.tsx";
import { Field } from "../parts/control/field.tsx";
import { FormDialog } from "../parts/page/form-dialog.tsx";
import { reasonsByField } from "../parts/page/refusal.tsx";
import { lookAgain, type ShownSet } from "./queries.ts";
import { createSet, describeSet, isOutdated, type SetWords } from "./steps.ts";
import { TextArea } from "./text-area.tsx";

interface SetFieldsProps {
  readonly words: SetWords;
  readonly onChange: (words: SetWords) => void;
  readonly error: (field: string) => string | undefined;
}

export function SetFields({ words, onChange, error }: SetFieldsProps) {
  return (
    <>
      <Field
        label="Title"
        error={error("title")}
        hint="What it is for, on one line; its changes have it as their note."
      >
        <input
          required
          maxLength={200}
          autoComplete="off"
          value={words.title}
          onChange={(event) => onChange({ ...words, title: event.target.value })}
        />
      </Field>
      <Field label="Description" error={error("description")}>
        <TextArea value={words.description} onChange={(description) => onChange({ ...words, description })} />
      </Field>
      <Field
        label="Approvals"
        error={error("requestedApprovals")}
        hint="By others than those who write it. A user's key and the keys that it made are one person; a key that an administrator issued is another."
      >
        <select
          value={words.requestedApprovals}
          onChange={(event) => onChange({ ...words, requestedApprovals: Number(event.target.value) })}
        >
          <option value={0}>none: it can be applied as it is</option>
          <option value={1}>one other person</option>
          <option value={2}>two other persons</option>
        </select>
      </Field>
    </>
  );
}

/** The fields of `SetWords`, as refusals name them. */
export const wordFields = ["title", "description", "requestedApprovals"];

interface SetFormProps {
  /** The set that is edited; without it, one is created. */
  readonly set?: ShownSet;
  readonly onClose: () => void;
}

export function SetForm({ set, onClose }: SetFormProps) {
  const { title = "", description = "", requestedApprovals = 1 } = set ?? {};
  const [words, setWords] = useState<SetWords>({ title, description, requestedApprovals });
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: async () => {
      if (!set) return (await createSet(words)).id;
      await describeSet(set, words);
      return set.id;
    },
    onSuccess: async (id) => {
      announceResult(set ? "The change set is saved." : "The change set is created.");
      onClose();
      void lookAgain(id);
      if (!set) await navigate({ to: "/changesets/$set", params: { set: id } });
    },
    onError: (error) => {
      if (set && isOutdated(error)) void lookAgain(set.id);
    },
  });
  const reasons = reasonsByField(save.error, wordFields);
  return (
    <FormDialog
      title={set ? "Edit the change set" : "New change set"}
      action={set ? "Save" : "Create"}
      isSending={save.isPending}
      onSend={() => save.mutate()}
      onClose={onClose}
    >
      <SetFields words={words} onChange={setWords} error={reasons.of} />
      {reasons.rest}
    </FormDialog>
  );
}
