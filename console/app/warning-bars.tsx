/**
 * Bars over every page: that the service does not answer, that the catalog or what a restored backup would publish is held back.
 */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { connectionLostSince, onConnection, probe } from "../api/connection.ts";
import { graphql } from "../api/generated/gql.ts";
import type { HoldsQuery } from "../api/generated/graphql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announce } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Question } from "../parts/page/form-dialog.tsx";
import { counted } from "../parts/text/counted.ts";
import { Ago, clockText } from "../parts/text/time.tsx";
import css from "./warning-bars.module.css";

const holdsKey = ["holds"] as const;
/** How often holds are looked for while the page is shown, ms. */
const holdsMs = 30_000;

const holdsQuery = graphql(`
  query Holds {
    pendingCatalogRemoval { pendingSince memberCount removalCount zones }
    pendingRestore { pendingSince secondaryNames zoneCount }
  }
`);

const confirmCatalogRemoval = graphql(`
  mutation ConfirmCatalogRemoval($input: ConfirmCatalogRemovalInput!) {
    confirmCatalogRemoval(input: $input) { confirmed { removalCount } }
  }
`);

const confirmRestore = graphql(`
  mutation ConfirmRestore($input: ConfirmRestoreInput!) {
    confirmRestore(input: $input) { confirmed { zoneCount } }
  }
`);

/** Says since when there was no answer, and that nothing is lost by it. */
export function ConnectionBar() {
  const since = useSyncExternalStore(onConnection, connectionLostSince);
  useEffect(() => {
    if (!since) return;
    announce(`No answer since ${clockText(since)}.`, "assertive");
    return () => announce("The service answers again.", "assertive");
  }, [since]);
  if (!since) return null;
  return (
    <section aria-label="Connection" className={`${look.message} ${look.line} ${css.bar} ${css.lost}`}>
      <p>
        <strong>No answer since {clockText(since)}.</strong> What is shown is from before; nothing is sent until you
        send it.
      </p>
      <Button onClick={() => void probe()}>Try now</Button>
    </section>
  );
}

/** What waits for an administrator's word, on every page. */
export function HoldBars() {
  const { isAdministrator, readOnly } = useViewer();
  const [asked, setAsked] = useState<"catalog" | "restore">();
  const { data } = useQuery({
    queryKey: holdsKey,
    queryFn: ({ signal }) => run(holdsQuery, {}, signal),
    enabled: isAdministrator,
    refetchInterval: holdsMs,
  });
  const { pendingCatalogRemoval: catalog, pendingRestore: restore } = data ?? {};
  return (
    <>
      {catalog && (
        <section aria-label="Catalog" className={`${look.message} ${look.refusal} ${look.line} ${css.bar}`}>
          <p>
            <strong>The removal of {counted(catalog.removalCount, "zone")} is held back</strong> from the catalog of{" "}
            {catalog.memberCount} since <Ago time={catalog.pendingSince} />: every secondary would delete them.
          </p>
          {!readOnly && <Button onClick={() => setAsked("catalog")}>Decide…</Button>}
        </section>
      )}
      {restore && (
        <section aria-label="Restored backup" className={`${look.message} ${look.refusal} ${look.line} ${css.bar}`}>
          <p>
            <strong>A backup was restored.</strong>{" "}
            {restore.zoneCount === 1 ? "1 zone is" : `${restore.zoneCount} zones are`} not published since{" "}
            <Ago time={restore.pendingSince} />, as {restore.secondaryNames.join(", ")} would lose changes.
          </p>
          {!readOnly && <Button onClick={() => setAsked("restore")}>Decide…</Button>}
        </section>
      )}
      {asked === "catalog" && catalog && (
        <Confirm
          hold="pendingCatalogRemoval"
          title={`Remove ${counted(catalog.removalCount, "zone")} from the catalog?`}
          action={`Remove ${counted(catalog.removalCount, "zone")}`}
          onClose={() => setAsked(undefined)}
          confirm={() => run(confirmCatalogRemoval, { input: { removalCount: catalog.removalCount } })}
        >
          Every secondary that follows the catalog deletes these zones. Where they were deleted by mistake, create them
          again instead; the hold ends by itself.
          <br />
          <ZoneNames zones={catalog.zones ?? []} count={catalog.removalCount} />
        </Confirm>
      )}
      {asked === "restore" && restore && (
        <Confirm
          hold="pendingRestore"
          title="Publish what the backup holds?"
          action="Publish"
          onClose={() => setAsked(undefined)}
          confirm={() => run(confirmRestore, { input: { pendingSince: restore.pendingSince } })}
        >
          {restore.secondaryNames.join(", ")} {restore.secondaryNames.length === 1 ? "has" : "have"} changes that this
          database has lost. They are replaced by what was restored.
        </Confirm>
      )}
    </>
  );
}

/** The names of zones that are shown of those that would go. */
const maxNames = 20;

function ZoneNames({ zones, count }: { readonly zones: readonly string[]; readonly count: number }) {
  const shown = zones.slice(0, maxNames);
  return (
    <code className={look.anywhere}>
      {shown.join(" ")}
      {count > shown.length && ` and ${(count - shown.length).toLocaleString()} more`}
    </code>
  );
}

interface ConfirmProps {
  readonly hold: keyof HoldsQuery;
  readonly title: string;
  readonly action: string;
  readonly children: React.ReactNode;
  readonly onClose: () => void;
  readonly confirm: () => Promise<unknown>;
}

function Confirm({ hold, title, action, children, onClose, confirm }: ConfirmProps) {
  const confirmed = async () => {
    onClose();
    // What was decided is done a moment later; until it is, the hold is still read.
    await queries.cancelQueries({ queryKey: holdsKey });
    queries.setQueryData<HoldsQuery>(holdsKey, (holds) => holds && { ...holds, [hold]: null });
    void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== holdsKey[0] });
  };
  return (
    <Question title={title} action={action} send={confirm} onSent={confirmed} onClose={onClose}>
      {children}
    </Question>
  );
}
