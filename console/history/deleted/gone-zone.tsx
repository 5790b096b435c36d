/**
 * The address of a deleted zone: by whom and when it was deleted, and the way to restore it.
 */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonClass } from "../../parts/control/button.tsx";
import { Empty, Loading, Page } from "../../parts/page/page.tsx";
import { formerZoneOptions } from "./deleted-queries.ts";
import { Deletion, RestoreButton } from "./restore-zone.tsx";

/** `children` are shown when no deleted zone has the name. */
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
