/**
 * The address of a deleted zone: by whom and when it was deleted, and the way to restore it.
 */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useViewer } from "../../api/viewer.ts";
import { Button, buttonClass } from "../../parts/control/button.tsx";
import { Empty, Loading, Page } from "../../parts/page/page.tsx";
import { formerZoneOptions } from "./deleted-queries.ts";
import { Deletion } from "./deletion.tsx";
import { RestoreZone } from "./restore-zone.tsx";

interface GoneZoneProps {
  readonly zone: string;
  /** What is shown when no deleted zone has the name. */
  readonly children: ReactNode;
}

export function GoneZone({ zone, children }: GoneZoneProps) {
  const { readOnly } = useViewer();
  const { data: deleted, isPending } = useQuery(formerZoneOptions(zone));
  const [isRestoring, setRestoring] = useState(false);
  if (isPending) return <Loading />;
  if (!deleted) return children;
  return (
    <Page title={deleted.zoneUnicode}>
      <Empty
        title="This zone was deleted"
        action={
          !readOnly && (
            <Button kind="primary" icon="undo" onClick={() => setRestoring(true)}>
              Restore…
            </Button>
          )
        }
      >
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
      {isRestoring && <RestoreZone deleted={deleted} onClose={() => setRestoring(false)} />}
    </Page>
  );
}
