/** The preview of an import: its difference, its comments, which can become notes, and the buttons that apply or propose it. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { StageZoneInput } from "../api/generated/graphql.ts";
import { Propose } from "../changesets/propose.tsx";
import { useConsent } from "../difference/confirm-removal.tsx";
import { type DifferenceRow, differenceOf } from "../difference/difference.ts";
import { DifferenceHead, DifferenceList } from "../difference/difference-list.tsx";
import { removalWords } from "../difference/loss.ts";
import { Button } from "../parts/control/button.tsx";
import { Actions } from "../parts/control/dialog.tsx";
import { Choice, Field } from "../parts/control/field.tsx";
import { onControlEnter } from "../parts/control/keyboard.ts";
import look from "../parts/look.module.css";
import { Named } from "../parts/page/named.tsx";
import { counted } from "../parts/text/counted.ts";
import { demandText, useDemandedReview } from "../parts/zone/review-policy.tsx";
import type { NoteChange, PlacedComment } from "./comments.ts";
import css from "./import.module.css";
import type { ImportMode, ImportResult } from "./upload.ts";
import { type Import, isSame, type Previewed, stagedOf } from "./use-import.ts";

const isSoa = ({ type }: DifferenceRow) => type === "SOA";

/** Whether a list has less than all records; the SOA does not count. */
const isPart = (rows: readonly DifferenceRow[], count: number) => rows.filter((row) => !isSoa(row)).length < count;

export const countsOf = ({ addedCount, removedCount }: ImportResult) =>
  `+${addedCount.toLocaleString()} −${removedCount.toLocaleString()}`;

interface Props {
  readonly zone: string;
  readonly previewed: Previewed;
  readonly work: Import;
  /** The words of the button in place of the counts. */
  readonly action: string | undefined;
  readonly onProposed: (() => void) | undefined;
}

export function ImportPreview({ zone, previewed, work, action, onProposed }: Props) {
  const { file, result, comments, notes } = previewed;
  const [note, setNote] = useState("");
  const [writesNotes, setWritesNotes] = useState(file.hasNotes ?? false);
  const [proposed, setProposed] = useState<StageZoneInput>();
  const { demanded, isReviewed: isDemanded } = useDemandedReview(zone);
  const isWithout = isSame(result);
  const isReviewed = isDemanded && !isWithout;
  const consent = useConsent(result.loss.isLarge && !isReviewed ? removalWords(result.loss) : undefined);
  const written = writesNotes && !isReviewed ? notes : [];
  const propose = async () => setProposed(await stagedOf(zone, previewed));
  const proceed = () => {
    if (isReviewed) void propose();
    else if (!consent.isGiven) consent.demand();
    else if (!isWithout || written.length > 0) void work.apply(previewed, { note: note.trim(), notes: written });
  };
  const section = useRef<HTMLElement>(null);
  // The button that asked for it is gone.
  useEffect(() => section.current?.focus(), []);
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="What the import would do"
      className={look.stack}
      onKeyDown={onControlEnter(() => proposed || proceed())}
    >
      <Difference result={result} mode={file.mode} />
      {file.mode === "merge" && comments.hasSoa && (
        <p>The SOA of the file is left out: a merge keeps that of the zone. A replacement takes it.</p>
      )}
      {notes.length > 0 && !isReviewed && (
        <>
          <Choice
            label={`Write ${counted(notes.length, "note")}, from the comments directly before ${notes.length === 1 ? "this RRset" : "these RRsets"}`}
            hint="A note is kept beside the zone: not published, and no part of its history. Unticked, these comments are dropped too, and the notes of the zone stay as they are."
            checked={writesNotes}
            onChange={setWritesNotes}
          />
          <NoteChanges notes={notes} />
        </>
      )}
      {notes.length > 0 && isReviewed && (
        <p>
          A change set has no notes: what the comments before RRsets say can be written as notes once it is applied.
        </p>
      )}
      {comments.others.length > 0 && <Dropped comments={comments.others} />}
      {isReviewed && <p>{demandText(zone, demanded)} Ask for a review of the import; nothing is changed yet.</p>}
      {consent.question}
      {!isWithout && (
        <Field label="Note, for the history">
          <input value={note} maxLength={500} onChange={({ currentTarget }) => setNote(currentTarget.value)} />
        </Field>
      )}
      <Actions>
        <Button hint="Esc" onClick={work.reset}>
          Back
        </Button>
        {!isWithout && (
          <Button onClick={() => void propose()} {...(isReviewed && { kind: "primary", hint: "Ctrl+Enter" })}>
            Ask for review…
          </Button>
        )}
        {!isReviewed && (
          <Button
            kind="primary"
            hint="Ctrl+Enter"
            disabled={isWithout && written.length === 0}
            aria-disabled={!consent.isGiven || undefined}
            onClick={proceed}
          >
            {isWithout && written.length > 0
              ? `Write ${counted(written.length, "note")}`
              : (action ??
                `Import ${countsOf(result)}${written.length > 0 ? `, ${counted(written.length, "note")}` : ""}`)}
          </Button>
        )}
      </Actions>
      {proposed && (
        <Propose
          edits={proposed}
          title={note.trim()}
          demanded={demanded}
          onProposed={() => onProposed?.()}
          onOutdated={() => void work.refresh(previewed)}
          onClose={() => setProposed(undefined)}
        />
      )}
    </section>
  );
}

const maxShown = 20;

function Firsts({ label, items }: { readonly label: string; readonly items: readonly ReactNode[] }) {
  return (
    <ul aria-label={label} className={`${look.anywhere} ${css.reasons}`}>
      {items.slice(0, maxShown).map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are not moved
        <li key={at}>{item}</li>
      ))}
      {items.length > maxShown && <li>And {items.length - maxShown} more.</li>}
    </ul>
  );
}

const Dropped = ({ comments }: { readonly comments: readonly PlacedComment[] }) => (
  <>
    <p>
      {counted(comments.length, "comment")} {comments.length === 1 ? "is" : "are"} dropped: only those on lines of their
      own directly before the first record of an RRset can be its note.
    </p>
    <Firsts
      label="Comments that are dropped"
      items={comments.map(({ line, text }) => (
        <>
          <b>line {line}</b> {text}
        </>
      ))}
    />
  </>
);

const NoteChanges = ({ notes }: { readonly notes: readonly NoteChange[] }) => (
  <Firsts
    label="Notes"
    items={notes.map(({ owner, type, text, former }) => (
      <>
        <b>
          <Named text={owner} /> {type}
        </b>{" "}
        {former && <del>{former}</del>} {text && <ins>{text}</ins>}
      </>
    ))}
  />
);

const sameText: Readonly<Record<ImportMode, string>> = {
  merge: "The zone has all of these records already: there is none to import.",
  replace:
    "The zone has the same records already: there is none to import. A greater serial alone is not imported; it is raised by editing the SOA.",
};

function Difference({ result, mode }: { readonly result: ImportResult; readonly mode: ImportMode }) {
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
      <DifferenceHead isSwitched={lines.length > 0}>
        <p role="status">
          {facts.join(", ")}
          {isCut && "; the first 1,000 of each"}
        </p>
      </DifferenceHead>
      <DifferenceList lines={lines} empty={sameText[mode]} />
      {result.warnings.length > 0 && (
        <ul className={look.warn}>
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
