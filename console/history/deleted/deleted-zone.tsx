/** A deleted zone: at a moment, at first the last one; and at the address that it had. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonClass } from "../../parts/control/button.tsx";
import look from "../../parts/look.module.css";
import { Reading } from "../../parts/page/list.tsx";
import { Empty, Loading, Page } from "../../parts/page/page.tsx";
import { PastZone } from "../moment/past-zone.tsx";
import { deletedDomainOptions, formerZoneOptions } from "./deleted-queries.ts";
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

/** What is at the address of a zone that was deleted; `children` are shown when no deleted zone has the name. */
export function GoneZone({ zone, children }: { readonly zone: string; readonly children: ReactNode }) {
  const { data: deleted, isPending } = useQuery(formerZoneOptions(zone));
  if (isPending) return <Loading />;
  if (!deleted) return children;
  return (
    <Page title={deleted.zoneUnicode}>
      <Empty title="This zone was deleted" action={<RestoreButton deleted={deleted} kind="primary" />}>
        It was deleted <Deletion deleted={deleted} />. Its journal is kept.
      </Empty>
      <p>
        <Link to="/settings/deleted/$domain" params={{ domain: deleted.domainId }} className={buttonClass()}>
          Its last state
        </Link>{" "}
        <Link to="/zones" className={buttonClass()}>
          To the zones
        </Link>
      </p>
    </Page>
  );
}
