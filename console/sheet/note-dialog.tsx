/** Writes the note of an RRset, at once: a note is no part of the zone and needs no review. */
import { useState } from "react";
import { maxNoteLength, writeNote } from "../api/notes.ts";
import type { RrsetNote } from "../api/rrset-note.ts";
import { announceFailure, announceResult } from "../parts/control/announce.tsx";
import { Field, TextArea } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form.tsx";

export function NoteDialog({ zone, note, onClose }: { zone: string; note: RrsetNote; onClose(): void }) {
  const { owner, type } = note;
  const [text, write] = useState(note.text);
  const isRemoved = text.trim() === "" && note.text !== "";
  const sending = useForm({
    mutationFn: () => writeNote(zone, { owner, type, text }),
    onSuccess: () => {
      const undo = { word: "Undo", act: () => writeNote(zone, note).catch(({ message }) => announceFailure(message)) };
      if (isRemoved) announceResult(`The note of ${owner} ${type} is removed.`, [], undo);
      else announceResult(`The note of ${owner} ${type} is saved.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Note of ${owner} ${type}`}
      action={isRemoved ? "Remove the note" : "Save the note"}
      isReady={text.trim() !== note.text}
      form={{ ...sending, rest: null }}
      onClose={onClose}
    >
      <Field
        label="Note"
        hint="What it is for, and whom to ask. It is kept beside the zone: saved at once, not published, and no change of the zone."
        error={sending.error?.message}
      >
        <TextArea rows={5} maxLength={maxNoteLength} value={text} onChange={write} />
      </Field>
    </FormDialog>
  );
}
