/** How all differences are arranged: removed above added records, or old beside new ones. The browser keeps what was chosen. */
import { type ReactNode, useSyncExternalStore } from "react";
import { useNarrow } from "../parts/control/use-narrow.ts";
import look from "../parts/look.module.css";
import { Segments } from "../parts/page/page.tsx";
import css from "./difference.module.css";

const arrangements = ["Unified", "Side by side"] as const;
const storedName = "zonesmith.difference";
const changes = new EventTarget();

function subscribe(listener: () => void): () => void {
  changes.addEventListener("change", listener);
  return () => changes.removeEventListener("change", listener);
}

const useChosen = () =>
  useSyncExternalStore(
    subscribe,
    () => arrangements.find((each) => each === localStorage.getItem(storedName)) ?? "Unified",
  );

/** Whether old records are beside new ones, for which a phone has no room. */
export function useSideBySide(): boolean {
  const isNarrow = useNarrow();
  return useChosen() === "Side by side" && !isNarrow;
}

interface DifferenceHeadProps {
  readonly isSwitched?: boolean;
  readonly children?: ReactNode;
}

/** What is above the first difference of a page, beside the switch for all of them. */
export const DifferenceHead = ({ isSwitched = true, children }: DifferenceHeadProps) => (
  <header className={`${look.line} ${css.head}`}>
    {children}
    {isSwitched && <Switch />}
  </header>
);

function Switch() {
  const value = useChosen();
  if (useNarrow()) return null;
  return (
    <span className={look.end}>
      <Segments
        label="Arrangement of the difference"
        value={value}
        options={arrangements.map((each) => ({ value: each, label: each }))}
        onChange={(chosen) => {
          localStorage.setItem(storedName, chosen);
          changes.dispatchEvent(new Event("change"));
        }}
      />
    </span>
  );
}
