/**
 * The layout of a page: heading and actions, the bar of filters, facts, and what it says when there is nothing to show, or when something
 * failed.
 */
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Refused, Unreachable } from "../../api/run.ts";
import { Hidden } from "../control/announce.tsx";
import { Button, Icon } from "../control/button.tsx";
import { TextInput } from "../control/field.tsx";
import look from "../look.module.css";
import { Copy } from "./copied.tsx";
import css from "./page.module.css";

/** Whether pages are parts of one that has the heading: the pages of Settings. */
export const WithinPage = createContext(false);

interface PageProps {
  readonly title: string;
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
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

export function Filter({ label, value, onChange, onEnter, focused = false }: FilterProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  return (
    <FilterBox>
      <TextInput
        ref={input}
        aria-label={label}
        type="search"
        data-filter
        placeholder={label}
        value={value}
        onChange={onChange}
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
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[];
  readonly onChange: (value: Value) => void;
}

const choicesOf = (className: string | undefined) =>
  function Choices<Value extends string>({ label, value, options, onChange }: ChoicesProps<Value>) {
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
            onClick={() => onChange(option.value)}
          >
            {option.label}
          </button>
        ))}
      </fieldset>
    );
  };

/** A switch between two or three ways to see the same. */
export const Segments = choicesOf(css.segments);

/** What a list is filtered by, one at a time. */
export const Chips = choicesOf(css.chips);

interface CountedProps {
  readonly word: string;
  readonly count: number | null | undefined;
}

export const Counted = ({ word, count }: CountedProps) => (
  <>
    <span>{word}</span>
    {typeof count === "number" && <span className={`${look.faint} ${look.digits}`}> {count.toLocaleString()}</span>}
  </>
);

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
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

interface FactsProps {
  /** By their names; one that is not known is left out. */
  readonly of: Readonly<Record<string, ReactNode>>;
  readonly className?: string;
}

/** What is known of something. */
export const Facts = ({ of, className = css.facts }: FactsProps) => (
  <dl className={className}>
    {Object.entries(of).map(
      ([name, value]) =>
        value && (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ),
    )}
  </dl>
);

/** Says that something is being read, after a moment. */
export function Loading({ what = "Loading…" }: { readonly what?: string | undefined }) {
  return (
    <p role="status" className={`${look.soft} ${css.loading}`}>
      {what}
    </p>
  );
}

interface RefusalProps {
  readonly error: unknown;
  /** Tries again; without it there is no button. */
  readonly onRetry?: (() => void) | undefined;
}

export function Refusal({ error, onRetry }: RefusalProps) {
  const wait = error instanceof Refused ? error.retryAfter : undefined;
  const left = useCountdown(wait, error);
  const id = error instanceof Refused ? error.errorId : undefined;
  return (
    <div ref={intoView} role="alert" className={`${look.message} ${look.refusal} ${look.stack} ${look.close}`}>
      <p>{sentenceOf(error)}</p>
      <p className={look.line}>
        {error instanceof Refused && error.code !== "INTERNAL_ERROR" && <code>{error.code}</code>}
        {id && <Copy text={id} what="the id of the error" />}
        {onRetry && (
          <Button onClick={onRetry} disabled={left > 0}>
            {left > 0 ? `Try again in ${left} s` : "Try again"}
          </Button>
        )}
      </p>
    </div>
  );
}

/** The sentence of an error; an error of the page itself is named a fault of the page. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refused || error instanceof Unreachable) return error.message;
  return `The page has a fault: ${error instanceof Error ? error.message : String(error)}`;
}

/** Whether a name is that of a field: `zones.*` is `zones` with each of its values. */
const isOfField = (name: string | undefined, field: string) =>
  name === field || (field.endsWith(".*") && `${name}.`.startsWith(field.slice(0, -1)));

/** The sentences about one field of a form, and those about no field that the form has. */
export function reasonsByField(
  error: unknown,
  fields: readonly string[],
): { errorOf: (field: string) => string | undefined; rest: ReactNode } {
  const reasons = error instanceof Refused ? error.reasons : [];
  const errorOf = (field: string) =>
    reasons
      .filter((reason) => isOfField(reason.field, field))
      .map(({ message }) => message)
      .join(" ") || undefined;
  return { errorOf, rest: error && !fields.some(errorOf) ? <Refusal error={error} /> : null };
}

function useCountdown(seconds: number | undefined, from: unknown): number {
  const [left, setLeft] = useState(seconds ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal counts from its own start
  useEffect(() => {
    setLeft(seconds ?? 0);
    if (!seconds) return;
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1000);
    return () => clearInterval(timer);
  }, [seconds, from]);
  return left;
}

/** A `ref` of the result of an action: scrolls to the result where it is out of sight, as below the fold of a phone. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });
