/**
 * A chip with a menu of values, by which a list is filtered.
 */
import { type FormEvent, useState } from "react";
import css from "./filter-menu.module.css";
import { Icon } from "./icon.tsx";
import { Menu, MenuItem } from "./menu.tsx";

interface ChoiceMenuProps<Value extends string> {
  readonly label: string;
  /** The words for no choice. */
  readonly any: string;
  readonly value: Value | undefined;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChange: (value: Value | undefined) => void;
  /** What another value may look like, where one may be written. */
  readonly example?: string;
}

export function ChoiceMenu<Value extends string>(props: ChoiceMenuProps<Value>) {
  const { label, any, value, options, onChange, example } = props;
  const chosen = options.find(([each]) => each === value)?.[1] ?? value;
  return (
    <Menu
      label={chosen === undefined ? label : `${label}: ${chosen}`}
      className={chosen === undefined ? css.chip : `${css.chip} ${css.chosen}`}
      button={
        <>
          <span>{chosen ?? label}</span>
          <Icon name="down" />
        </>
      }
    >
      {example && <Written label={label} example={example} onChange={(text) => onChange(text as Value)} />}
      {[[undefined, any] as const, ...options].map(([each, words]) => (
        <MenuItem key={words} aria-pressed={each === value} onClick={() => onChange(each)}>
          {words}
        </MenuItem>
      ))}
    </Menu>
  );
}

interface WrittenProps {
  readonly label: string;
  readonly example: string;
  readonly onChange: (text: string) => void;
}

function Written({ label, example, onChange }: WrittenProps) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text.trim() !== "") onChange(text.trim());
    setText("");
    event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <input
        aria-label={label}
        placeholder={example}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}
