/** Which keys belong to a text, and not to the page. */

/** Whether a key is a letter of what is being typed. */
export function isTyped(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}
