/** In the header of every page: how much is staged, and in which zones. */
import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import hidden from "../../parts/control/hidden.module.css";
import { Menu, MenuGroup, menuItemClass } from "../../parts/control/menu.tsx";
import { onDrafts, stagedCounts } from "./draft-store.ts";

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  const stop = onDrafts(listener);
  return () => {
    removeEventListener("storage", listener);
    stop();
  };
}

/** The zones in which a key has staged edits, with their numbers. */
export function useStagedZones(fingerprint: string): ReadonlyMap<string, number> {
  const text = useSyncExternalStore(subscribe, () => JSON.stringify([...stagedCounts(localStorage, fingerprint)]));
  return new Map(JSON.parse(text) as [string, number][]);
}

export function StagedZones({ fingerprint }: { readonly fingerprint: string }) {
  const zones = [...useStagedZones(fingerprint)];
  const total = zones.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  return (
    <Menu
      label={`${total} staged`}
      button={
        <span>
          {total}
          <span className={hidden.word}> staged</span>
        </span>
      }
    >
      <MenuGroup title="Edits that are kept here">
        {zones.map(([zone, count]) => (
          <Link key={zone} to="/zones/$zone" params={{ zone }} className={menuItemClass}>
            {zone} · {count}
          </Link>
        ))}
      </MenuGroup>
    </Menu>
  );
}
