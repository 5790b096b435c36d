/**
 * The focus when what had it goes: a button whose work is done, or the grid that has no row any more. It is then where the keys of the
 * sheet work, never on nothing.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** The active cell; where there is no row, what shows some again. */
const placeIn = (section: HTMLElement) =>
  section.querySelector<HTMLElement>("[role=grid] [data-active], [data-no-rows]");

export function useKeptFocus(section: RefObject<HTMLElement | null>): void {
  const last = useRef<EventTarget>(null);
  useEffect(() => {
    const { current } = section;
    const focused = ({ target }: FocusEvent) => {
      last.current = target;
    };
    current?.addEventListener("focusin", focused);
    return () => current?.removeEventListener("focusin", focused);
  }, [section]);
  useLayoutEffect(() => {
    const { current } = section;
    const isLost = () => document.activeElement === document.body && isGone(last.current);
    if (!current || !isLost()) return;
    placeIn(current)?.focus({ preventScroll: true });
    // The cells of a grid come a moment after it.
    if (isLost()) requestAnimationFrame(() => isLost() && placeIn(current)?.focus({ preventScroll: true }));
  });
}

const isGone = (target: EventTarget | null) => target instanceof HTMLElement && !target.isConnected;
