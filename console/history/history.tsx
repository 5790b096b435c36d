/**
 * The changes of all zones.
 */
import { getRouteApi, Link } from "@tanstack/react-router";
import { buttonClass } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { Changes } from "./changes.tsx";

const route = getRouteApi("/shell/history");

export function History() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="History"
      actions={
        <Link to="/deleted" className={buttonClass()}>
          Deleted zones
        </Link>
      }
    >
      <Changes
        selection={search}
        onChange={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
      />
    </Page>
  );
}
