/**
 * What is said aloud by a screen reader: one polite region for what happened, an assertive one for what failed, which nobody sees; and the
 * results of what was done, which are shown too.
 */
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { storeOf } from "../../api/store.ts";
import look from "../look.module.css";
import css from "./announce.module.css";
import { Button, IconButton } from "./button.tsx";

interface Result {
  readonly id: number;
  readonly text: string;
  readonly isWarning: boolean;
  readonly back?: Back | undefined;
}

/** What takes back what was done, and its word. */
interface Back {
  readonly word: string;
  act(): unknown;
}

interface Announcements {
  readonly polite: string;
  readonly assertive: string;
  /** Shown; the newest is the last. */
  readonly results: readonly Result[];
  /** Where the page shows them; null where they are over it. */
  readonly place: HTMLElement | null;
}

/** How long a result is shown, ms; longer while it is pointed at or has the focus. */
const shownMs = 8000;

/** How long what was said can be read again, ms. */
const keptMs = 30_000;

const announcements = storeOf<Announcements>({ polite: "", assertive: "", results: [], place: null });
let lastId = 0;

const change = (changed: Partial<Announcements>) => announcements.set({ ...announcements.get(), ...changed });
const results = () => announcements.get().results;

/** Says something; the same text twice is said twice. */
export function announce(text: string, urgency: "polite" | "assertive" = "polite"): void {
  const present = () => announcements.get()[urgency];
  const announced = present() === text ? `${text}\u00a0` : text;
  change({ [urgency]: announced });
  setTimeout(() => present() === announced && change({ [urgency]: "" }), keptMs);
}

export const messagesOf = (notices: readonly { readonly message: string }[]) => notices.map(({ message }) => message);

/** Says and shows the result of what was done, until the next one, another page, or for a while; its warnings until they are dismissed. */
export function announceResult(text: string, warnings: readonly string[] = [], back?: Back): void {
  const kept = results().filter((result) => result.isWarning && !warnings.includes(result.text));
  const added = [text, ...warnings].map((each, at) => ({
    id: ++lastId,
    text: each,
    isWarning: at > 0,
    back: at === 0 ? back : undefined,
  }));
  change({ results: [...kept, ...added] });
}

/** Says and shows that something failed which no page shows, until it is dismissed. */
export function announceFailure(text: string): void {
  const others = results().filter((result) => result.text !== text);
  change({ results: [...others, { id: ++lastId, text, isWarning: true }] });
}

/** Has the results shown in an element, where they would cover rows that are being worked on. */
export const placeResults = (place: HTMLElement | null) => change({ place });

/** Ends the warnings that are shown, when what they are about is done with. */
export const dismissWarnings = () => change({ results: results().filter(({ isWarning }) => !isWarning) });

const dismiss = (id: number) => change({ results: results().filter((result) => result.id !== id) });

/** Ends what was said up to a moment, all but warnings. */
function leave(past: Announcements): void {
  const { polite, assertive } = announcements.get();
  change({
    polite: polite === past.polite ? "" : polite,
    assertive: assertive === past.assertive ? "" : assertive,
    results: results().filter((result) => result.isWarning || !past.results.includes(result)),
  });
}

/** What was said before a person led to another page goes with the former one; what led there itself is seen there. */
function useLeaving(): void {
  const router = useRouter();
  useEffect(() => {
    let past = announcements.get();
    const acted = () => {
      past = announcements.get();
    };
    const acts = ["click", "keydown", "popstate"];
    for (const act of acts) addEventListener(act, acted, true);
    const end = router.subscribe("onBeforeNavigate", ({ pathChanged }) => pathChanged && leave(past));
    return () => {
      for (const act of acts) removeEventListener(act, acted, true);
      end();
    };
  }, [router]);
}

export function LiveRegions() {
  const { polite, assertive, results: shown, place } = useSyncExternalStore(announcements.subscribe, announcements.get);
  useLeaving();
  // What was done with one key is not shown with another.
  useEffect(() => () => change({ results: [] }), []);
  const list = (
    <div
      role="status"
      aria-label="Results"
      aria-atomic="false"
      className={place ? css.results : `${css.results} ${css.floating}`}
    >
      {shown.map((result) => (
        <ResultNotice key={result.id} {...result} />
      ))}
    </div>
  );
  return (
    <>
      <div className={look.unseen}>
        <p role="status">{polite}</p>
        <p role="alert">{assertive}</p>
      </div>
      {place ? createPortal(list, place) : list}
    </>
  );
}

function ResultNotice({ id, text, isWarning, back }: Result) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isWarning) return;
    const timer = setInterval(() => !box.current?.matches(":hover, :focus-within") && dismiss(id), shownMs);
    return () => clearInterval(timer);
  }, [id, isWarning]);
  return (
    <div ref={box} className={isWarning ? look.message : `${look.message} ${css.result}`}>
      <p className={look.grow}>{text}</p>
      {back && (
        <Button
          onClick={() => {
            dismiss(id);
            back.act();
          }}
        >
          {back.word}
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  );
}

/** Text that is read and not shown. */
export function Hidden({ children }: { readonly children: React.ReactNode }) {
  return <span className={look.unseen}>{children}</span>;
}
