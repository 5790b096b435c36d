/** The row under the headings in which records are written: its fields, the record as the service would write it, and what is wrong with it. */
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { type RecordField, type RecordTypes, typeNamed } from "../../api/record-types.ts";
import { Button } from "../../parts/control/button.tsx";
import { Icon } from "../../parts/control/icon.tsx";
import { hasControl, isAddKey } from "../../parts/control/keyboard.ts";
import { counted } from "../../parts/text/counted.ts";
import { fieldLabel } from "../apply/sentences.ts";
import { fieldCountOf, rowOfText } from "../clipboard/paste.ts";
import { isOneWord, isText, octetsOf } from "../form/form-fields.ts";
import { newRow, shownField, spread, writeField, writeValue, writtenRdata } from "../form/form-state.ts";
import type { SheetModel } from "../model/sheet-model.ts";
import { parseTtl, type RowValues, ttlWords } from "../records/row.ts";
import css from "./composer.module.css";
import { namesakes, withoutData } from "./record.ts";
import { TypeField } from "./type-field.tsx";
import type { Place, Composer as State, Then } from "./use-composer.ts";

interface Props {
  readonly model: SheetModel;
  readonly types: RecordTypes;
  readonly composer: State;
  /** Leads to the row of the grid that had the focus. */
  onLeave(): void;
}

export function Composer(props: Props) {
  const { composer } = props;
  if (composer.isOpen) return <OpenComposer {...props} />;
  return (
    <button type="button" className={css.closed} onClick={() => composer.open("owner")}>
      <Icon name="plus" />
      Add a record
      <span className={css.example}>www A 192.0.2.1, or paste rows</span>
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
  }, [place]);

  const set = (column: keyof RowValues, value: string) => write(writeValue(written, column, value) as typeof written);
  const about = (column: keyof RowValues, part = fields[0]?.name) => {
    const partOf = (named: string | undefined) => fields.find(({ name }) => name === named) ?? fields[0];
    const isWrong = wrong.some(
      (problem) => problem.column === column && (column !== "rdata" || partOf(problem.part)?.name === part),
    );
    return { "aria-invalid": isWrong || undefined, "aria-describedby": isWrong ? `${id}-said` : undefined };
  };
  const spreadLine = (event: ClipboardEvent) => {
    const line = rowOfText(event.clipboardData.getData("text/plain"), (type) =>
      fieldCountOf(typeNamed(types, type)?.fields),
    );
    if (!line) return;
    event.preventDefault();
    write({ values: line, fields: {}, isText: false });
    goTo("data");
  };
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
      data-fields={fields.length}
      onKeyDown={pressed}
      onSubmit={(event) => {
        event.preventDefault();
        void composer.add("data");
      }}
    >
      <span className={css.mark}>
        <Icon name="plus" />
      </span>
      <Box className={css.name} after={suffixOf(values.owner, model.zone)}>
        <input
          name="owner"
          aria-label="Name"
          placeholder="@"
          value={written.values.owner ?? ""}
          {...about("owner")}
          {...plain}
          onPaste={spreadLine}
          onKeyDown={onSpace(
            () => true,
            () => goTo("type"),
          )}
          onChange={({ currentTarget }) => set("owner", currentTarget.value)}
        />
      </Box>
      <TypeField
        className={css.type}
        value={written.values.type ?? ""}
        types={types}
        present={() => namesakes(model, values.owner)}
        attributes={{ ...about("type"), ...plain }}
        onChange={(type) => set("type", type)}
        onTtl={(ttl) => write({ ...written, values: { ...written.values, type: "", ttl } })}
        onDone={() => goTo("data")}
      />
      <Box className={css.ttl}>
        <input
          name="ttl"
          aria-label="TTL"
          title={record.ttl === undefined ? undefined : ttlWords(record.ttl)}
          value={written.values.ttl ?? String(record.ttl)}
          {...about("ttl")}
          {...plain}
          onKeyDown={onSpace(
            (ttl) => parseTtl(ttl) !== undefined,
            () => goTo("data"),
          )}
          onChange={({ currentTarget }) => set("ttl", currentTarget.value)}
        />
      </Box>
      <div className={css.fields}>
        {fields.length === 0 ? (
          <Box after={info ? undefined : "data"}>
            <input
              name="rdata"
              data-data
              aria-label="Data"
              placeholder={info?.example}
              value={dataText}
              {...about("rdata")}
              {...plain}
              onChange={({ currentTarget }) => set("rdata", currentTarget.value)}
            />
          </Box>
        ) : (
          fields.map((field, at) => {
            const value = shownField(written, [newRow], fields, field.name) ?? "";
            const next = fields[at + 1];
            return (
              <Box
                key={field.name}
                isShort={field.form === "INTEGER"}
                before={fieldLabel(field.name)}
                after={isText(fields) ? `${octetsOf(value)} octets` : nameSuffix(field, value, model.zone)}
              >
                <input
                  name={field.name}
                  data-data={at === 0 || undefined}
                  aria-label={fieldLabel(field.name)}
                  title={field.description}
                  value={value}
                  inputMode={field.form === "INTEGER" ? "numeric" : "text"}
                  {...about("rdata", field.name)}
                  {...plain}
                  onPaste={(event) => {
                    const spreadOut = at === 0 && spread(written, event.clipboardData.getData("text/plain"), fields);
                    if (!spreadOut) return;
                    event.preventDefault();
                    write({ ...written, ...spreadOut });
                  }}
                  onKeyDown={onSpace(
                    (word) => next !== undefined && !field.quoted && isOneWord(word),
                    () => next && goTo({ part: next.name }),
                  )}
                  onChange={({ currentTarget }) =>
                    write({ ...written, ...writeField(written, field.name, currentTarget.value) })
                  }
                />
              </Box>
            );
          })
        )}
      </div>
      <Button type="submit" kind="primary" hint="Enter">
        Add
      </Button>
      <p className={css.said} id={`${id}-said`}>
        <span className={css.record}>{record.text}</span>
        {record.joined > 0 && (
          <span>
            {record.isTtlGiven ? "moves" : "joins"} {counted(record.joined, "other")}
          </span>
        )}
        <span role="status">
          {wrong.map(({ message }) => (
            <span key={message} className={css.wrong}>
              <span aria-hidden="true">✕</span> {message}{" "}
            </span>
          ))}
          {record.warnings.map((warning) => (
            <span key={warning} className={css.doubt}>
              <span aria-hidden="true">▲</span> {warning}{" "}
            </span>
          ))}
        </span>
        {info && (
          <button
            type="button"
            className={css.asText}
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

const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

interface BoxProps {
  readonly className?: string | undefined;
  readonly isShort?: boolean;
  readonly before?: string;
  readonly after?: string | undefined;
  readonly children: ReactNode;
}

/** A field with what is written before and behind its text. */
function Box({ className, isShort, before, after, children }: BoxProps) {
  return (
    <span className={`${css.box} ${className ?? ""}`} data-short={isShort || undefined}>
      {before !== undefined && <span aria-hidden="true">{before}</span>}
      {children}
      {after !== undefined && <span aria-hidden="true">{after}</span>}
    </span>
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
