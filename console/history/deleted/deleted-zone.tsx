/**
 * A deleted zone at a moment, at first the last one.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate } from "@tanstack/react-router";
import look from "../../parts/look.module.css";
import { Reading } from "../../parts/page/list.tsx";
import { Page } from "../../parts/page/page.tsx";
import { PastZone } from "../moment/past-zone.tsx";
import { deletedDomainOptions } from "./deleted-queries.ts";
import { Deletion, RestoreButton } from "./restore-zone.tsx";

const route = getRouteApi("/shell/settings/deleted/$domain");

/** With the way to restore it; once it is restored, it leads to the zone. */
export function DeletedZone() {
  const { domain } = route.useParams();
  const { at, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(deletedDomainOptions(domain));
  const { data } = query;
  if (!data)
    return (
      <Page title="Deleted zone">
        <Reading query={query} />
      </Page>
    );
  if ("living" in data) return <Navigate to="/zones/$zone" params={{ zone: data.living }} replace />;
  const { zone } = data;
  return (
    <Page
      title={zone.zoneUnicode}
      beside={
        <p className={look.soft}>
          deleted <Deletion deleted={zone} /> · <Link to="/settings/deleted">all deleted zones</Link>
        </p>
      }
      actions={<RestoreButton deleted={zone} />}
    >
      <PastZone
        past={{ deleted: domain }}
        zone={zone.zone}
        moment={at ?? String(zone.serial)}
        search={search}
        onMoment={(moment) => void navigate({ search: { ...search, at: moment }, replace: true, resetScroll: false })}
        onSearch={(changed) => void navigate({ search: { ...changed, at }, replace: true, resetScroll: false })}
      />
    </Page>
  );
}
