/** The type of a record that is being written: what is typed chooses the first type that begins so, and the list below shows the others. */
import { type InputHTMLAttributes, type KeyboardEvent, useEffect, useId, useState } from "react";
import { type RecordTypes, typeNamed } from "../../api/record-types.ts";
import { Icon } from "../../parts/control/button.tsx";
import look from "../../parts/look.module.css";
import { parseTtl } from "../records/row.ts";
import css from "./form.module.css";
import { typesLike } from "./type-choice.ts";

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  readonly value: string;
  readonly types: RecordTypes;
  /** The types of other records of the name. */
  present?(): ReadonlySet<string>;
  onChange(type: string): void;
  /** A TTL was written, as in a line of a master file. */
  onTtl?(ttl: string): void;
  /** Takes the whole line of a record; returns whether a text is one. */
  onLine?(text: string): boolean;
  onDone?(): void;
}

const none: ReadonlySet<string> = new Set();

export function TypeField({ value, types, present = () => none, onChange, onTtl, onLine, onDone, ...input }: Props) {
  const id = useId();
  /** The list, while it is shown: what the types begin with, and what is typed, unless one was gone to by an arrow. */
  const [list, setList] = useState<{ readonly start: string; readonly typed?: string }>();
  const choices = list ? typesLike(list.start, types.types, present()) : [];
  const at = choices.findIndex(({ type }) => type === value);
  const type = (text: string) => {
    setList({ start: text, typed: text });
    onChange(typesLike(text, types.types, present())[0]?.type ?? text.trim().toUpperCase());
  };
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, altKey } = event;
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (key === " ") {
      const text = list?.typed ?? value;
      if (/^\d/.test(text) && parseTtl(text) !== undefined) onTtl?.(text);
      else if (text.toUpperCase() === "IN") onChange("");
      // The name of a whole line.
      else if (value !== "" && !typeNamed(types, value) && !/^TYPE\d+$/.test(value)) return;
      else onDone?.();
      setList(undefined);
    } else if (step !== 0 && (altKey || list)) {
      setList({ start: list?.start ?? "" });
      if (list) onChange(choices[Math.max(0, Math.min(choices.length - 1, at + step))]?.type ?? value);
    } else if (key === "Escape" && list) setList(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span className={css.box}>
      <input
        {...input}
        name="type"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        role="combobox"
        aria-label="Type"
        aria-autocomplete="list"
        aria-expanded={choices.length > 0}
        aria-controls={choices.length > 0 ? id : undefined}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        value={list?.typed ?? value}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={() => setList({ start: "" })}
        onBlur={() => setList(undefined)}
        onChange={({ currentTarget: { value: text } }) => onLine?.(text) || type(text)}
        onKeyDown={pressed}
      />
      <Icon name="down" />
      {choices.length > 0 && (
        <ul id={id} role="listbox" aria-label="Types" className={`${look.card} ${look.list} ${css.types}`}>
          {choices.map(({ type: each, description, reason }, index) => (
            <li
              key={each}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => {
                // The field keeps the focus until the type is taken.
                event.preventDefault();
                setList(undefined);
                onChange(each);
                onDone?.();
              }}
            >
              <b className={look.mono}>{each}</b> <span className={look.faint}>{reason ?? description}</span>
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}
