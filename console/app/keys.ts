/** Keys that work on every page. Those of one letter never work while something is typed. */
import type { AnyRouter } from "@tanstack/react-router";
import { isTyped } from "../parts/control/field.tsx";
import { hasControl, singleKeysWork } from "../parts/control/keyboard.ts";
import { addressOfLetter } from "./places.ts";

/** How long g waits for its letter, ms. */
const pairMs = 1500;

/** The time of a g that was not pressed: times of events begin at 0, when the page was loaded. */
const never = Number.NEGATIVE_INFINITY;

interface KeyTargets {
  readonly help: () => void;
  readonly palette: () => void;
  readonly isAdministrator: boolean;
}

/** Listens for the keys; returns what stops it. */
export function listenForKeys(router: AnyRouter, targets: KeyTargets): () => void {
  let wasG = never;
  // The letter after g leads to a page from everywhere, also from a grid that would take it as text.
  const onPair = (event: KeyboardEvent) => {
    const isPair = event.timeStamp - wasG < pairMs && !hasControl(event) && !event.altKey;
    const address = isPair && !isTyped(event.target) && addressOfLetter(event.key, targets.isAdministrator);
    if (!address) return;
    wasG = never;
    event.preventDefault();
    event.stopPropagation();
    void router.navigate({ to: address.to, search: address.search ?? {} });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (hasControl(event) && event.key.toLowerCase() === "k" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      return targets.palette();
    }
    if (hasControl(event) || event.altKey || isTyped(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return back(router);
    if (!singleKeysWork()) return;
    wasG = event.key === "g" ? event.timeStamp : never;
    if (event.key === "?") targets.help();
    else if (event.key === "/") document.querySelector<HTMLInputElement>("[data-filter]")?.focus();
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", onPair, true);
  document.addEventListener("keydown", onKey);
  return () => {
    document.removeEventListener("keydown", onPair, true);
    document.removeEventListener("keydown", onKey);
  };
}

/** From a page to the one before it, where it has a button for that; else to the one above it. */
function back(router: AnyRouter): void {
  if (document.querySelector(":popover-open")) return;
  const button = document.querySelector<HTMLElement>("[data-back]");
  if (button) {
    button.click();
    return;
  }
  const { pathname } = router.state.location;
  const above = pathname.replace(/\/[^/]+\/?$/, "");
  if (above !== "") void router.navigate({ to: above });
}
