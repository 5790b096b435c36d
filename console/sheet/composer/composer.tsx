/** The row under the headings in which records are written: its fields, the record as the service would write it, and what is wrong with it. */
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef } from "react";
import { type RecordField, type RecordTypes, typeNamed } from "../../api/record-types.ts";
import { Button, Icon } from "../../parts/control/button.tsx";
import { hasControl, isAddKey } from "../../parts/control/keyboard.ts";
import look from "../../parts/look.module.css";
import { counted } from "../../parts/text/counted.ts";
import { fieldLabel } from "../apply/sentences.ts";
import { Boxed } from "../form/boxed.tsx";
import { isOneWord, isText, octetsOf } from "../form/form-fields.ts";
import {
  newRow,
  shownField,
  spread,
  writeField,
  writeType,
  writeValue,
  writtenLine,
  writtenRdata,
} from "../form/form-state.ts";
import { TypeField } from "../form/type-field.tsx";
import type { SheetModel } from "../model/sheet-model.ts";
import { parseTtl, type RowValues, ttlWords } from "../records/row.ts";
import css from "./composer.module.css";
import { namesakes, withoutData } from "./record.ts";
import type { Place, Composer as State, Then } from "./use-composer.ts";

interface Props {
  readonly model: SheetModel;
  readonly types: RecordTypes;
  readonly composer: State;
  onLeave(): void;
}

export function Composer(props: Props) {
  const { composer } = props;
  if (composer.isOpen) return <OpenComposer {...props} />;
  return (
    <button
      type="button"
      className={`${look.bare} ${look.line} ${look.faint} ${css.closed}`}
      onClick={() => composer.open("owner")}
    >
      <Icon name="plus" />
      Add a record
      <span className={`${look.grow} ${look.cut} ${look.mono}`}>api A 192.0.2.1, or paste rows</span>
      <kbd>Alt N</kbd>
    </button>
  );
}

const selectorOf = (place: Place) =>
  place === "data" ? "[data-data]" : `[name="${typeof place === "object" ? place.part : place}"]`;

function OpenComposer({ model, types, composer, onLeave }: Props) {
  const { written, record, write, place, marked, goTo } = composer;
  const { info, fields, values, problems } = record;
  const form = useRef<HTMLFormElement>(null);
  /** What the field with the focus held before it was written in. */
  const left = useRef("");
  const id = useId();
  const wrong = problems.length > 0 ? problems : marked ? [marked] : [];

  const text = record.hasData ? JSON.stringify(values) : "";
  useEffect(() => {
    model.type(newRow.key, text === "" ? undefined : (JSON.parse(text) as RowValues));
  }, [model, text]);
  useEffect(() => () => model.type(undefined), [model]);
  useLayoutEffect(() => {
    const field = place && form.current?.querySelector<HTMLInputElement>(selectorOf(place.at));
    // A field of another name was refused: its place is the data.
    (field ?? (place && form.current?.querySelector<HTMLInputElement>("[data-data]")))?.focus();
    // The name that was kept is replaced by the next one.
    if (place?.at === "owner") field?.select();
  }, [place]);

  const set = (column: keyof RowValues, value: string) => write(writeValue(written, column, value));
  const about = (column: keyof RowValues, part = fields[0]?.name) => {
    const partOf = (named: string | undefined) => fields.find(({ name }) => name === named) ?? fields[0];
    const isWrong = wrong.some(
      (problem) => problem.column === column && (column !== "rdata" || partOf(problem.part)?.name === part),
    );
    return { "aria-invalid": isWrong || undefined, "aria-describedby": isWrong ? `${id}-said` : undefined };
  };
  /** Spreads the line of a record over all fields; returns whether the text is one. */
  const spreadLine = (text: string) => {
    const line = writtenLine(text, types);
    if (!line) return false;
    write({ ...line, isText: false });
    goTo("data");
    return true;
  };
  /** Spreads a line that is typed, also behind what the field held. */
  const spreadTyped = (text: string) => {
    if (!text.startsWith(left.current)) left.current = "";
    return spreadLine(text.slice(left.current.length));
  };
  const pastedText = (event: ClipboardEvent) => event.clipboardData.getData("text/plain");
  const pastedLine = (event: ClipboardEvent) => spreadLine(pastedText(event)) && event.preventDefault();
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.defaultPrevented) return;
    const { key, shiftKey, altKey } = event;
    const isButton = event.target instanceof HTMLElement && event.target.closest("button") !== null;
    if (key === "Enter" && !altKey && (!isButton || hasControl(event))) {
      const then: Then = hasControl(event) ? "review" : shiftKey ? "owner" : "data";
      if (!event.repeat) void composer.add(then);
    } else if (key === "Escape" && record.hasData) {
      write(withoutData(written));
      goTo("data");
    } else if (key === "Escape") {
      composer.close();
      onLeave();
    } else if (key.toLowerCase() === "z" && hasControl(event) && !record.hasData) {
      // Without a text of its own, it is about what was added.
      if (shiftKey) model.drafts.redo();
      else model.drafts.undo();
    } else if (key === "ArrowDown" && !shiftKey && !altKey && !hasControl(event)) onLeave();
    else if (isAddKey(event)) {
      set("owner", "");
      goTo("owner");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** A space ends a word: the next field has the focus. */
  const onSpace =
    (isDone: (text: string) => boolean, next: (field: HTMLInputElement) => void) =>
    (event: KeyboardEvent<HTMLInputElement>) => {
      const { currentTarget } = event;
      if (event.key !== " " || !isDone(currentTarget.value)) return;
      event.preventDefault();
      next(currentTarget);
    };
  const dataText = writtenRdata(written, newRow, fields);
  return (
    <form
      ref={form}
      className={css.open}
      aria-label="New record"
      onFocus={({ target }) => {
        left.current = target.value;
      }}
      onKeyDown={pressed}
      onSubmit={(event) => {
        event.preventDefault();
        void composer.add("data");
      }}
    >
      <Icon name="plus" />
      <Boxed
        name="owner"
        aria-label="Name"
        placeholder="@"
        after={suffixOf(values.owner, model.zone)}
        value={written.values.owner ?? ""}
        {...about("owner")}
        onPaste={pastedLine}
        onKeyDown={onSpace(
          () => true,
          () => goTo("type"),
        )}
        onText={(text) => set("owner", text)}
      />
      <TypeField
        value={written.values.type ?? ""}
        types={types}
        present={() => namesakes(model, values.owner)}
        {...about("type")}
        onChange={(type) => write(writeType(written, type, info, typeNamed(types, type)))}
        onTtl={(ttl) => write({ ...written, values: { ...written.values, type: "", ttl } })}
        onPaste={pastedLine}
        onLine={spreadLine}
        onDone={() => goTo("data")}
      />
      <Boxed
        name="ttl"
        aria-label="TTL"
        title={record.ttl === undefined ? undefined : ttlWords(record.ttl)}
        value={written.values.ttl ?? String(record.ttl)}
        {...about("ttl")}
        onKeyDown={onSpace(
          (ttl) => parseTtl(ttl) !== undefined,
          () => goTo("data"),
        )}
        onText={(text) => set("ttl", text)}
      />
      <div className={`${look.line} ${css.fields}`} data-many={fields.length > 3 || undefined}>
        {fields.length === 0 ? (
          <Boxed
            name="rdata"
            data-data
            aria-label="Data"
            placeholder={info?.example}
            after={info ? undefined : "data"}
            value={dataText}
            {...about("rdata")}
            onPaste={(event) => !info && pastedLine(event)}
            onText={(text) => (!info && spreadTyped(text)) || set("rdata", text)}
          />
        ) : (
          fields.map((field, at) => {
            const value = shownField(written, [newRow], fields, field.name) ?? "";
            const next = fields[at + 1];
            // A text may read like a record.
            const isLine = at === 0 && !field.quoted;
            return (
              <Boxed
                key={field.name}
                name={field.name}
                data-data={at === 0 || undefined}
                aria-label={fieldLabel(field.name)}
                title={field.description}
                before={fieldLabel(field.name)}
                after={isText(fields) ? `${octetsOf(value)} octets` : nameSuffix(field, value, model.zone)}
                value={value}
                inputMode={field.form === "INTEGER" ? "numeric" : "text"}
                {...about("rdata", field.name)}
                onPaste={(event) => {
                  const text = pastedText(event);
                  const spreadOut = at === 0 && spread(written, text, fields);
                  if (isLine && spreadLine(text)) event.preventDefault();
                  else if (spreadOut) {
                    event.preventDefault();
                    write(spreadOut);
                  }
                }}
                onKeyDown={onSpace(
                  (word) => next !== undefined && !field.quoted && isOneWord(word),
                  () => next && goTo({ part: next.name }),
                )}
                onText={(text) => (isLine && spreadTyped(text)) || write(writeField(written, field.name, text))}
              />
            );
          })
        )}
      </div>
      <Button type="submit" kind="primary" hint="Enter">
        Add
      </Button>
      <p className={`${look.line} ${look.faint} ${look.small} ${css.said}`} id={`${id}-said`}>
        <span className={`${look.mono} ${look.anywhere}`}>{record.text}</span>
        {record.joined > 0 && (
          <span>
            beside {counted(record.joined, `other ${values.type} record`)} of this name
            {record.isTtlGiven && `, which ${record.joined === 1 ? "gets" : "get"} this TTL too`}
          </span>
        )}
        <span role="status">
          {wrong.map(({ message }) => (
            <span key={message} className={look.del}>
              <span aria-hidden="true">✕</span> {message}{" "}
            </span>
          ))}
          {record.warnings.map((warning) => (
            <span key={warning} className={look.warn}>
              <span aria-hidden="true">▲</span> {warning}{" "}
            </span>
          ))}
        </span>
        {info && (
          <button
            type="button"
            className={`${look.bare} ${look.end} ${css.asText}`}
            aria-pressed={written.isText}
            onClick={() => {
              write({ ...writeValue(written, "rdata", dataText), isText: !written.isText });
              goTo("data");
            }}
          >
            as text
          </button>
        )}
      </p>
    </form>
  );
}

/** What follows a name inside of its field. */
function suffixOf(name: string, zone: string): string | undefined {
  if (name === "@") return zone;
  return name.endsWith(".") ? undefined : `.${zone}`;
}

/** A single label in data is a name of the zone. */
const nameSuffix = ({ kind }: RecordField, value: string, zone: string) =>
  kind === "name" && /^[^.@\s]+$/.test(value) ? `.${zone}.` : undefined;
