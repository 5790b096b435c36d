/**
 * The changes of all zones.
 */
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../parts/page.tsx";
import { Changes } from "./changes.tsx";

const route = getRouteApi("/shell/history");

export function History() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="History">
      <Changes
        selection={search}
        withZone
        onChange={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
      />
    </Page>
  );
}
