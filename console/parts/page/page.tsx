/**
 * The layout of a page: heading and actions, the bar of filters, facts, and what it says when there is nothing to show.
 */
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import { Hidden } from "../control/announce.tsx";
import { Icon } from "../control/icon.tsx";
import look from "../look.module.css";
import css from "./page.module.css";

/** Whether pages are parts of one that has the heading: the pages of Settings. */
export const WithinPage = createContext(false);

interface PageProps {
  readonly title: string;
  /** What is beside the title. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  /** What is above the title. */
  readonly above?: ReactNode;
  /** Whether it is read, and so no wider than is read well. */
  readonly isText?: boolean;
  readonly children: ReactNode;
}

/** A page; its title is the window's too. */
export function Page({ title, beside, actions, above, isText = false, children }: PageProps) {
  useTitle(title);
  const isWithin = useContext(WithinPage);
  const [Whole, Heading] = isWithin ? (["section", "h2"] as const) : (["main", "h1"] as const);
  return (
    <Whole className={`${look.stack} ${isWithin ? "" : css.page} ${isText ? css.text : ""}`}>
      {above}
      <header className={`${look.line} ${css.head}`}>
        <Heading className={look.anywhere}>{title}</Heading>
        {beside}
        {actions && <div className={`${look.line} ${look.end} ${css.actions}`}>{actions}</div>}
      </header>
      {children}
    </Whole>
  );
}

const ofService = " · Zonesmith";

/** What the window shows, by its title. */
export const shownTitle = () => document.title.replace(ofService, "");

/** Names the window after what it shows. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title}${ofService}`;
  }, [title]);
}

export function Bar({ children }: { readonly children: ReactNode }) {
  return <div className={`${look.line} ${css.bar}`}>{children}</div>;
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onEnter?: () => void;
  /** Whether it has the focus when the page opens. */
  readonly focused?: boolean;
}

/** The frame of the field that filters a page; the key / leads to it. */
export function FilterBox({ className = "", children }: { readonly className?: string; readonly children: ReactNode }) {
  return (
    <span className={`${css.filter} ${className}`}>
      <Icon name="search" />
      {children}
      <span aria-hidden="true" className={`${look.unlessPhone} ${css.hint}`}>
        <kbd>/</kbd>
      </span>
    </span>
  );
}

/** The field that filters a page. */
export function Filter({ label, value, onChange, onEnter, focused = false }: FilterProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  return (
    <FilterBox>
      <input
        ref={input}
        aria-label={label}
        type="search"
        data-filter
        placeholder={label}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onEnter?.();
          if (event.key !== "Escape") return;
          if (value === "") input.current?.blur();
          else onChange("");
          event.stopPropagation();
        }}
      />
    </FilterBox>
  );
}

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: ReactNode; readonly isDisabled?: boolean }[];
  readonly onChange: (value: Value) => void;
}

function Choices<Value extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: ChoicesProps<Value> & { readonly className: string | undefined }) {
  return (
    <fieldset className={className}>
      <legend>
        <Hidden>{label}</Hidden>
      </legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          disabled={option.isDisabled}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}

/** A switch between two or three ways to see the same. */
export const Segments = <Value extends string>(choices: ChoicesProps<Value>) => (
  <Choices {...choices} className={css.segments} />
);

/** What a list is filtered by, one at a time. */
export const Chips = <Value extends string>(choices: ChoicesProps<Value>) => (
  <Choices {...choices} className={css.chips} />
);

interface CountedProps {
  readonly word: string;
  readonly count: number | null | undefined;
}

/** The words of a chip with how many there are. */
export const Counted = ({ word, count }: CountedProps) => (
  <>
    <span>{word}</span>
    {typeof count === "number" && <span className={`${look.faint} ${look.digits}`}> {count.toLocaleString()}</span>}
  </>
);

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** The action that helps. */
  readonly action?: ReactNode;
}

/** Why there is nothing, and what to do about it. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className={`${look.stack} ${look.card} ${css.empty}`}>
      <h2>{title}</h2>
      {children && <p className={look.soft}>{children}</p>}
      {action}
    </div>
  );
}

/** A line of a list of facts (dl): what it is, and its value. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className={look.soft}>{name}</dt>
      <dd className={look.anywhere}>{children}</dd>
    </div>
  );
}

/** Says that something is being read, after a moment. */
export function Loading({ what = "Loading…" }: { readonly what?: string }) {
  return (
    <p role="status" className={`${look.soft} ${css.loading}`}>
      {what}
    </p>
  );
}
