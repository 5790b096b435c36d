/** Lets an element reach down to the end of the window, whatever is above it. */
import { type RefObject, useLayoutEffect, useRef } from "react";

export function useFill(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const fill = () => {
      // What is hidden stays as it was.
      if (!element.current || getComputedStyle(element.current).visibility === "hidden") return;
      const top = element.current.getBoundingClientRect().top + scrollY;
      element.current.style.setProperty("--above", `${Math.ceil(top)}px`);
    };
    fill();
    const observer = new ResizeObserver(fill);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return element;
}
