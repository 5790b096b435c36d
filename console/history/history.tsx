/**
 * The changes of all zones.
 */
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { buttonClass } from "../parts/control/button.tsx";
import { useDebounced } from "../parts/control/use-debounced.ts";
import { Bar, Filter, Page } from "../parts/page/page.tsx";
import { Changes } from "./changes.tsx";
import type { ChangeSelection } from "./queries.ts";

const route = getRouteApi("/shell/history");

export function History() {
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
    <Page
      title="History"
      actions={
        <Link to="/deleted" className={buttonClass()}>
          Deleted zones
        </Link>
      }
    >
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
    </Page>
  );
}
