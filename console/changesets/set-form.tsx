/** The words of a change set, for one that is created or edited. */
import { useState } from "react";
import { announceResult } from "../parts/control/announce.tsx";
import { Field, Select, TextArea, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { lookAgain, type ShownSet } from "./queries.ts";
import { describeSet, isOutdated, type SetWords } from "./steps.ts";

const approvalChoices = [
  ["0", "none: it can be applied as it is"],
  ["1", "one other person"],
  ["2", "two other persons"],
] as const;

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
        <TextInput
          required
          spellCheck
          maxLength={200}
          value={words.title}
          onChange={(title) => onChange({ ...words, title })}
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
        <Select
          value={String(words.requestedApprovals)}
          options={approvalChoices}
          onChange={(count) => onChange({ ...words, requestedApprovals: Number(count) })}
        />
      </Field>
    </>
  );
}

/** The fields of `SetWords`, as refusals name them. */
export const wordFields = ["title", "description", "requestedApprovals"];

export function SetForm({ set, onClose }: { readonly set: ShownSet; readonly onClose: () => void }) {
  const { title, description, requestedApprovals } = set;
  const [words, setWords] = useState<SetWords>({ title, description, requestedApprovals });
  const save = useForm({
    fields: wordFields,
    mutationFn: () => describeSet(set, words),
    onSuccess: () => {
      announceResult("The change set is saved.");
      onClose();
      void lookAgain(set.id);
    },
    onError: (error) => {
      if (isOutdated(error)) void lookAgain(set.id);
    },
  });
  return (
    <FormDialog title="Edit the change set" action="Save" form={save} onClose={onClose}>
      <SetFields words={words} onChange={setWords} error={save.errorOf} />
    </FormDialog>
  );
}
