/**
 * What holds for the keys of every page: Mac's Cmd counts as Ctrl, and keys of a single letter can be switched off (WCAG 2.1.4).
 */

/** Whether Ctrl, or Cmd on a Mac, is held. */
export const hasControl = ({ ctrlKey, metaKey }: { readonly ctrlKey: boolean; readonly metaKey: boolean }) =>
  ctrlKey || metaKey;

/** Alt+N or Insert: a new record. On a Mac, Option makes another character of the letter. */
export const isAddKey = ({
  key,
  code,
  altKey,
}: {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
}) => key === "Insert" || (altKey && (key.toLowerCase() === "n" || code === "KeyN"));

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly repeat: boolean;
  preventDefault(): void;
}

/** Listens for Ctrl+Enter, which does what a form or a review is for; a key that is held down does it once. */
export const onControlEnter = (act: () => void) => (event: Pressed) => {
  if (event.key !== "Enter" || !hasControl(event) || event.repeat) return;
  event.preventDefault();
  act();
};

const offName = "zonesmith.single-keys";

/** Whether keys of a single letter work; kept in this browser. */
export const singleKeysWork = () => localStorage.getItem(offName) !== "off";

export function letSingleKeysWork(work: boolean): void {
  if (work) localStorage.removeItem(offName);
  else localStorage.setItem(offName, "off");
}
