/** What an import would do: its difference, what of the file is not kept, and the notes that its comments can become. */
import { useEffect, useRef, useState } from "react";
import { type DifferenceRow, differenceOf } from "../difference/difference.ts";
import { DifferenceList } from "../difference/difference-list.tsx";
import { Button } from "../parts/button.tsx";
import { counted } from "../parts/counted.ts";
import { Actions } from "../parts/dialog.tsx";
import { Choice, Field } from "../parts/field.tsx";
import { Named } from "../parts/named.tsx";
import type { NoteChange } from "./comments.ts";
import css from "./import.module.css";
import type { ImportMode, ImportResult } from "./upload.ts";
import { type ImportTerms, isSame, type Previewed } from "./use-import.ts";

const number = new Intl.NumberFormat("en");

const isSoa = ({ type }: DifferenceRow) => type === "SOA";

/** Whether a list is not the whole; the SOA in it is not counted. */
const isPart = (rows: readonly DifferenceRow[], count: number) => rows.filter((row) => !isSoa(row)).length < count;

export const countsOf = ({ addedCount, removedCount }: ImportResult) =>
  `+${number.format(addedCount)} −${number.format(removedCount)}`;

interface Props {
  readonly previewed: Previewed;
  readonly onBack: () => void;
  readonly onApply: (terms: ImportTerms) => void;
}

export function ImportPreview({ previewed, onBack, onApply }: Props) {
  const { file, result, comments, notes } = previewed;
  const [note, setNote] = useState("");
  const [writesNotes, setWritesNotes] = useState(file.hasNotes ?? false);
  const written = writesNotes ? notes : [];
  const isWithout = isSame(result);
  const section = useRef<HTMLElement>(null);
  // The button that asked for it is gone.
  useEffect(() => section.current?.focus(), []);
  return (
    <section ref={section} tabIndex={-1} aria-label="What the import would do" className={css.preview}>
      <Difference result={result} mode={file.mode} />
      {file.mode === "merge" && comments.hasSoa && (
        <p>The SOA of the file is left out: a merge keeps that of the zone. A replacement takes it.</p>
      )}
      {comments.others > 0 && (
        <p>
          {counted(comments.others, "comment")} of the file {comments.others === 1 ? "is" : "are"} not kept: a zone has
          no place for them. A comment on lines of its own, directly before an RRset, can be the note of that.
        </p>
      )}
      {notes.length > 0 && (
        <>
          <Choice
            label={`Write ${counted(notes.length, "comment")} as ${notes.length === 1 ? "the note of its RRset" : "the notes of their RRsets"}`}
            hint="Notes are kept beside the zone: they are not published, and no part of its history."
            checked={writesNotes}
            onChange={({ currentTarget }) => setWritesNotes(currentTarget.checked)}
          />
          <NoteChanges notes={notes} />
        </>
      )}
      {!isWithout && (
        <Field label="Note, for the history">
          <input value={note} maxLength={500} onChange={({ currentTarget }) => setNote(currentTarget.value)} />
        </Field>
      )}
      <Actions>
        <Button onClick={onBack}>Back</Button>
        <Button
          kind="primary"
          disabled={isWithout && written.length === 0}
          onClick={() => onApply({ note: note.trim(), notes: written })}
        >
          {isWithout && written.length > 0
            ? `Write ${counted(written.length, "note")}`
            : `Import ${countsOf(result)}${written.length > 0 ? `, ${counted(written.length, "note")}` : ""}`}
        </Button>
      </Actions>
    </section>
  );
}

/** As many notes as are shown. */
const maxNotes = 20;

function NoteChanges({ notes }: { readonly notes: readonly NoteChange[] }) {
  return (
    <ul aria-label="Notes" className={css.reasons}>
      {notes.slice(0, maxNotes).map(({ owner, type, text, former }) => (
        <li key={`${owner} ${type}`}>
          <b>
            <Named text={owner} /> {type}
          </b>{" "}
          {former && <del>{former}</del>} {text && <ins>{text}</ins>}
        </li>
      ))}
      {notes.length > maxNotes && <li>And {notes.length - maxNotes} more.</li>}
    </ul>
  );
}

/** Why nothing would be imported. */
const sameText: Readonly<Record<ImportMode, string>> = {
  merge: "The zone has all of these records already: there is none to import.",
  replace:
    "The zone has the same records already: there is none to import. A greater serial alone is not imported; it is raised by editing the SOA.",
};

interface DifferenceProps {
  readonly result: ImportResult;
  readonly mode: ImportMode;
}

function Difference({ result, mode }: DifferenceProps) {
  const lines = differenceOf(result.removed, result.added);
  const ttls = lines.filter(
    (line) => line.kind === "change" && !isSoa(line.row) && line.from.ttl !== line.row.ttl,
  ).length;
  const facts = [
    countsOf(result),
    result.added.some(isSoa) && "the SOA differs",
    ttls > 0 && `${ttls} ${ttls === 1 ? "TTL differs" : "TTLs differ"}`,
    result.warnings.length > 0 && counted(result.warnings.length, "warning"),
  ].filter(Boolean);
  const isCut = isPart(result.added, result.addedCount) || isPart(result.removed, result.removedCount);
  return (
    <>
      <p role="status">
        {facts.join(", ")}
        {isCut && "; the first 1,000 of each"}
      </p>
      <DifferenceList lines={lines} empty={sameText[mode]} />
      {result.warnings.length > 0 && (
        <ul className={css.warnings}>
          {result.warnings.map((warning) => (
            <li key={warning}>
              <span aria-hidden="true">⚠</span> {warning}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
