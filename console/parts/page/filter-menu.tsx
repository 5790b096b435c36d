/** Chips with a menu, by which a list is filtered: by one of several values, or by a text. */
import { type FormEvent, type ReactNode, useState } from "react";
import { Button, Icon } from "../control/button.tsx";
import { TextInput } from "../control/field.tsx";
import { Menu, MenuItem } from "../control/menu.tsx";
import look from "../look.module.css";
import css from "./page.module.css";

interface FilterMenuProps {
  readonly label: string;
  readonly chosen: string | undefined;
  /** Whether the key / leads to it. */
  readonly isFirst?: boolean;
  readonly children: ReactNode;
}

function FilterMenu({ label, chosen, isFirst = false, children }: FilterMenuProps) {
  return (
    <Menu
      label={chosen === undefined ? label : `${label}: ${chosen}`}
      className={chosen === undefined ? css.menuChip : `${css.menuChip} ${css.isChosen}`}
      isFilter={isFirst}
      button={
        <>
          <span className={look.cut}>{chosen ?? label}</span>
          <Icon name="down" />
        </>
      }
    >
      {children}
    </Menu>
  );
}

interface ChoiceMenuProps<Value extends string> {
  readonly label: string;
  /** The words for no choice. */
  readonly any: string;
  readonly value: Value | undefined;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChange: (value: Value | undefined) => void;
}

export function ChoiceMenu<Value extends string>({ label, any, value, options, onChange }: ChoiceMenuProps<Value>) {
  const chosen = options.find(([each]) => each === value)?.[1];
  return (
    <FilterMenu label={label} chosen={chosen}>
      {[[undefined, any] as const, ...options].map(([each, words]) => (
        <MenuItem key={words} aria-pressed={each === value} onClick={() => onChange(each)}>
          {words}
        </MenuItem>
      ))}
    </FilterMenu>
  );
}

interface TextMenuProps extends Omit<ChoiceMenuProps<string>, "options"> {
  readonly hint: string;
  /** What is likely meant: it need not be written. */
  readonly likely: readonly string[];
  readonly isFirst?: boolean;
}

export function TextMenu({ label, any, hint, value, likely, isFirst = false, onChange }: TextMenuProps) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setText("");
    onChange(text.trim() || undefined);
  };
  return (
    <FilterMenu label={label} chosen={value} isFirst={isFirst}>
      <form className={css.menuForm} onSubmit={submit}>
        <TextInput ref={focusWhenShown} aria-label={hint} placeholder={hint} value={text} onChange={setText} />
        <Button type="submit">Show</Button>
      </form>
      {[...(value === undefined ? [] : [undefined]), ...likely].map((each) => (
        <MenuItem key={each ?? ""} aria-pressed={each === value} onClick={() => onChange(each)}>
          {each ?? any}
        </MenuItem>
      ))}
    </FilterMenu>
  );
}

/** A popover gives the focus to what has this attribute, which React does not write. */
const focusWhenShown = (input: HTMLInputElement | null) => input?.setAttribute("autofocus", "");
