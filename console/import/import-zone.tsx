/**
 * The import of a master file: dropped, chosen or pasted, with a look at the difference before. Where lines are refused, the text can be
 * edited there.
 */
import { type DragEvent, useEffect, useRef, useState } from "react";
import { Button } from "../parts/control/button.tsx";
import { Actions, Dialog } from "../parts/control/dialog.tsx";
import { Choice, Field } from "../parts/control/field.tsx";
import { LineEditor, type LineEditorHandle } from "../parts/control/line-editor.tsx";
import look from "../parts/look.module.css";
import { bytesText } from "../parts/text/counted.ts";
import { takeHandedOver } from "./handed-over.ts";
import css from "./import.module.css";
import { ImportOutcome } from "./import-outcome.tsx";
import type { ImportMode } from "./upload.ts";
import { useImport, wrongLines } from "./use-import.ts";

const modes = [
  ["merge", "stay (merge)"],
  ["replace", "are removed (replace)"],
] as const;

/** The largest file that is edited here, octets. */
const maxEdited = 1e6;

/** The text of a file; undefined when the file is not UTF-8, since an editor would change its octets. */
async function textOf(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}

export function ImportZone({ zone, onDone }: { readonly zone: string; readonly onDone: () => void }) {
  const [given] = useState(takeHandedOver);
  const [file, setFile] = useState(given instanceof File ? given : undefined);
  const [pasted, setPasted] = useState(typeof given === "string" ? given : "");
  /** The name of the file whose text is edited here. */
  const [source, setSource] = useState<string>();
  const [mode, setMode] = useState<ImportMode>("merge");
  const [skipsUnsupported, setSkips] = useState(false);
  const [isOver, setOver] = useState(false);
  const work = useImport(zone);
  const content = file ?? pasted;
  const size = file ? file.size : new Blob([pasted]).size;
  const editor = useRef<LineEditorHandle>(null);
  const wrong = wrongLines(work.state);
  const [firstWrong] = wrong;
  const isSmall = size <= maxEdited;
  const isEdited = firstWrong !== undefined && isSmall && file === undefined;
  const isShown = work.state.phase === "idle" || isEdited;

  // The text of a small file takes its place, to be edited.
  useEffect(() => {
    if (firstWrong === undefined || !file || !isSmall) return;
    let isCurrent = true;
    void textOf(file).then((read) => {
      if (!isCurrent || read === undefined) return;
      setPasted(read);
      setSource(file.name);
      setFile(undefined);
    });
    return () => {
      isCurrent = false;
    };
  }, [firstWrong, file, isSmall]);
  useEffect(() => {
    if (isEdited) editor.current?.showLine(firstWrong);
  }, [isEdited, firstWrong]);

  /** Takes another file; the outcome of the former one goes. */
  const choose = (next: File | undefined) => {
    work.reset();
    setFile(next);
    if (source !== undefined) setPasted("");
    setSource(undefined);
  };
  const name = file?.name ?? source;
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [first] = event.dataTransfer.files;
    choose(first);
    if (!first) setPasted(event.dataTransfer.getData("text/plain"));
  };

  /** Esc leads from the difference or the refusal to the text, and does not end an import that is being sent. */
  const close = () => {
    const { phase } = work.state;
    if (phase === "refused" || phase === "previewed") work.reset();
    else if (phase !== "sending") onDone();
  };
  const outcome = (
    <ImportOutcome
      zone={zone}
      work={work}
      {...(isEdited && { onLine: (line: number) => editor.current?.showLine(line) })}
      lineText={(line) => (file ? undefined : pasted.split("\n")[line - 1])}
      onDone={onDone}
    />
  );
  return (
    <Dialog
      title={name === undefined ? `Import into ${zone}` : `Import ${name} into ${zone}`}
      width="wide"
      onClose={close}
    >
      <div className={look.stack}>
        {isEdited && outcome}
        {isShown && (
          <form
            className={look.stack}
            onSubmit={(event) => {
              event.preventDefault();
              void work.preview({ content, mode, skipsUnsupported });
            }}
          >
            <section
              aria-label="Master file"
              className={`${look.stack} ${look.card} ${css.drop}`}
              data-over={isOver || undefined}
              onDragOver={(event) => {
                event.preventDefault();
                setOver(true);
              }}
              onDragLeave={() => setOver(false)}
              onDrop={dropped}
            >
              {name === undefined ? (
                <Field label="Drop a master file here, choose one, or paste its text.">
                  <input type="file" onChange={({ currentTarget }) => choose(currentTarget.files?.[0])} />
                </Field>
              ) : (
                <p className={look.line}>
                  <b>{name}</b> {bytesText(size)}
                  <Button onClick={() => choose(undefined)}>Another file</Button>
                </p>
              )}
              {!file && (
                <LineEditor
                  ref={editor}
                  label="Text of the master file"
                  placeholder={"$TTL 3600\nwww  A  192.0.2.1"}
                  text={pasted}
                  wrongLines={wrong}
                  onChange={setPasted}
                />
              )}
            </section>
            <fieldset className={look.line}>
              <legend>Records that the file does not contain</legend>
              {modes.map(([value, words]) => (
                <label key={value} className={look.beside}>
                  <input type="radio" name="mode" checked={mode === value} onChange={() => setMode(value)} /> {words}
                </label>
              ))}
            </fieldset>
            <Choice
              label="Leave out lines that no zone can hold, such as ALIAS, with a warning each"
              checked={skipsUnsupported}
              onChange={setSkips}
            />
            <Actions>
              <span className={look.soft}>{size > 0 && bytesText(size)}</span>
              <Button type="submit" kind="primary" disabled={size === 0}>
                Look at the difference
              </Button>
            </Actions>
          </form>
        )}
        {!isEdited && outcome}
      </div>
    </Dialog>
  );
}
