/**
 * A deleted zone at a moment, at first the last one.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate } from "@tanstack/react-router";
import { useState } from "react";
import { useViewer } from "../../api/viewer.ts";
import { Button } from "../../parts/control/button.tsx";
import { Reading } from "../../parts/page/list.tsx";
import { Page } from "../../parts/page/page.tsx";
import table from "../../parts/page/table.module.css";
import { useMoments } from "../moment/moment-list.tsx";
import { PastZone } from "../moment/past-zone.tsx";
import { Versions } from "../moment/rrset.tsx";
import { deletedDomainOptions, type DeletedZone as Zone } from "./deleted-queries.ts";
import { Deletion } from "./deletion.tsx";
import { RestoreZone } from "./restore-zone.tsx";

const route = getRouteApi("/shell/settings/deleted/$domain");
const rrsetRoute = getRouteApi("/shell/settings/deleted/$domain/rrset");

export function DeletedZone() {
  const { domain } = route.useParams();
  return <Deleted id={domain}>{(zone) => <Before zone={zone} />}</Deleted>;
}

/** The versions of an RRset of a deleted zone. */
export function DeletedRrset() {
  const { domain } = rrsetRoute.useParams();
  const { owner = "@", type = "SOA" } = rrsetRoute.useSearch();
  return (
    <Deleted id={domain}>
      {() => (
        <Versions past={{ deleted: domain }} owner={owner} type={type}>
          <Link to="/settings/deleted/$domain" params={{ domain }}>
            The whole zone
          </Link>
        </Versions>
      )}
    </Deleted>
  );
}

interface DeletedProps {
  readonly id: string;
  readonly children: (zone: Zone) => React.ReactNode;
}

/** The page around a deleted zone, with the way to restore it; once it is restored, it leads to the zone. */
function Deleted({ id, children }: DeletedProps) {
  const { readOnly } = useViewer();
  const query = useQuery(deletedDomainOptions(id));
  const { data } = query;
  const [isRestoring, setRestoring] = useState(false);
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
        <p className={table.soft}>
          deleted <Deletion deleted={zone} /> · <Link to="/settings/deleted">all deleted zones</Link>
        </p>
      }
      actions={
        !readOnly && (
          <Button icon="undo" onClick={() => setRestoring(true)}>
            Restore…
          </Button>
        )
      }
    >
      {children(zone)}
      {isRestoring && <RestoreZone deleted={zone} onClose={() => setRestoring(false)} />}
    </Page>
  );
}

function Before({ zone }: { readonly zone: Zone }) {
  const { at, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const moments = useMoments({ deleted: zone.domainId });
  return (
    <PastZone
      past={{ deleted: zone.domainId }}
      zone={zone.zone}
      moment={at ?? String(zone.serial)}
      filter={filter}
      moments={moments}
      onMoment={(moment) => void navigate({ search: { ...filter, at: moment }, replace: true, resetScroll: false })}
      onFilter={(search) =>
        void navigate({ search: { ...search, ...(at && { at }) }, replace: true, resetScroll: false })
      }
    />
  );
}
