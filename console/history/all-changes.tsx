/**
 * The changes of all zones.
 */
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useDebounced } from "../parts/control/use-debounced.ts";
import { Bar, Filter } from "../parts/page/page.tsx";
import { Changes } from "./changes.tsx";
import type { ChangeSelection } from "./queries.ts";

const route = getRouteApi("/shell/activity");

export function AllChanges() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(search.zone ?? "");
  const zone = useDebounced(search.zone);
  const filter = (changed: ChangeSelection) => {
    const ofZone = "zone" in changed && changed.zone === undefined ? { owner: undefined, type: undefined } : {};
    void navigate({ search: (before) => ({ ...before, ...ofZone, ...changed }), replace: true });
  };
  const type = (written: string) => {
    setText(written);
    filter({ zone: written.trim() || undefined });
  };
  return (
    <>
      <Bar>
        <Filter label="Of one zone, such as example.com" value={text} onChange={type} />
      </Bar>
      <Changes
        // The records of another zone are others.
        key={zone ?? ""}
        selection={{ ...search, zone }}
        onChange={filter}
        onClear={() => type("")}
      />
    </>
  );
}
