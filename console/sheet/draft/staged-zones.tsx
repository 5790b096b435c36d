/** In the header of every page: how much is staged, and in which zones. */
import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { Icon } from "../../parts/control/button.tsx";
import { Menu, MenuGroup, menuItemClass } from "../../parts/control/menu.tsx";
import look from "../../parts/look.module.css";
import { counted } from "../../parts/text/counted.ts";
import { onDrafts, stagedCounts } from "./draft-store.ts";
import css from "./staged-zones.module.css";

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  const stop = onDrafts(listener);
  return () => {
    removeEventListener("storage", listener);
    stop();
  };
}

export function useStagedZones(fingerprint: string): ReadonlyMap<string, number> {
  const text = useSyncExternalStore(subscribe, () => JSON.stringify([...stagedCounts(localStorage, fingerprint)]));
  return new Map(JSON.parse(text) as [string, number][]);
}

const edits = `${look.beside} ${look.accent} ${look.strong} ${look.nowrap} ${css.edits}`;

export function StagedZones({ fingerprint }: { readonly fingerprint: string }) {
  const zones = [...useStagedZones(fingerprint)];
  const total = zones.reduce((sum, [, count]) => sum + count, 0);
  const [first] = zones;
  if (!first) return null;
  const label = counted(total, "edit");
  const words = (
    <>
      <span className={`${look.beside} ${look.unlessPhone}`}>
        <Icon name="pencil" />
      </span>
      <span>
        {total}
        <span className={look.unlessPhone}> {total === 1 ? "edit" : "edits"}</span>
      </span>
    </>
  );
  if (zones.length === 1)
    return (
      <Link
        to="/zones/$zone/draft"
        params={{ zone: first[0] }}
        className={edits}
        title={`${first[0]}: ${label} not applied`}
        aria-label={label}
      >
        {words}
      </Link>
    );
  return (
    <Menu label={label} className={edits} button={words}>
      <MenuGroup title="Not applied">
        {zones.map(([zone, count]) => (
          <Link key={zone} to="/zones/$zone/draft" params={{ zone }} className={menuItemClass}>
            {zone} · {count}
          </Link>
        ))}
      </MenuGroup>
    </Menu>
  );
}
