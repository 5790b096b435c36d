/**
 * What holds for the keys of every page: Mac's Cmd counts as Ctrl, and keys of a single letter can be switched off (WCAG 2.1.4).
 */

/** Whether Ctrl, or Cmd on a Mac, is held. */
export const hasControl = ({ ctrlKey, metaKey }: { readonly ctrlKey: boolean; readonly metaKey: boolean }) =>
  ctrlKey || metaKey;

const offName = "zonesmith.single-keys";

/** Whether keys of a single letter work; kept in this browser. */
export const singleKeysWork = () => localStorage.getItem(offName) !== "off";

export function letSingleKeysWork(work: boolean): void {
  if (work) localStorage.removeItem(offName);
  else localStorage.setItem(offName, "off");
}
