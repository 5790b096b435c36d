/**
 * Bars over every page: that the service does not answer, that the catalog or what a restored backup would publish is held back.
 */
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useEffect, useSyncExternalStore } from "react";
import { connectionLostSince, onConnection, probe } from "../api/connection.ts";
import type { HoldsQuery } from "../api/generated/graphql.ts";
import { queries, readOptions } from "../api/queries.ts";
import { act, graphql } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announce } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { DialogButton, Question } from "../parts/page/form.tsx";
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
  const { isAdministrator } = useViewer();
  const { data } = useQuery({
    ...readOptions(holdsKey, holdsQuery, {}, (holds) => holds),
    enabled: isAdministrator,
    refetchInterval: holdsMs,
  });
  const { pendingCatalogRemoval: catalog, pendingRestore: restore } = data ?? {};
  return (
    <>
      {catalog && (
        <HoldBar
          label="Catalog"
          hold="pendingCatalogRemoval"
          title={`Remove ${counted(catalog.removalCount, "zone")} from the catalog?`}
          action={`Remove ${counted(catalog.removalCount, "zone")}`}
          send={() => act("confirmCatalogRemoval", { removalCount: catalog.removalCount })}
          question={
            <>
              Every secondary that follows the catalog deletes these zones. Where they were deleted by mistake, create
              them again instead; the hold ends by itself.
              <br />
              <ZoneNames zones={catalog.zones ?? []} count={catalog.removalCount} />
            </>
          }
        >
          <strong>The removal of {counted(catalog.removalCount, "zone")} is held back</strong> from the catalog of{" "}
          {catalog.memberCount} since <Ago time={catalog.pendingSince} />: every secondary would delete them.
        </HoldBar>
      )}
      {restore && (
        <HoldBar
          label="Restored backup"
          hold="pendingRestore"
          title="Publish what the backup holds?"
          action="Publish"
          send={() => act("confirmRestore", { pendingSince: restore.pendingSince })}
          question={`${restore.secondaryNames.join(", ")} ${restore.secondaryNames.length === 1 ? "has" : "have"} changes that this database has lost. They are replaced by what was restored.`}
        >
          <strong>A backup was restored.</strong>{" "}
          {restore.zoneCount === 1 ? "1 zone is" : `${restore.zoneCount} zones are`} not published since{" "}
          <Ago time={restore.pendingSince} />, as {restore.secondaryNames.join(", ")} would lose changes.
        </HoldBar>
      )}
    </>
  );
}

interface HoldBarProps extends Pick<ComponentProps<typeof Question>, "title" | "action" | "send" | "children"> {
  readonly label: string;
  readonly hold: keyof HoldsQuery;
  readonly question: ReactNode;
}

/** A bar about what is held back, with the question before it is let go. */
function HoldBar({ label, hold, question, children, ...asked }: HoldBarProps) {
  const { readOnly } = useViewer();
  const confirmed = async (close: () => void) => {
    close();
    // What was decided is done a moment later; until it is, the hold is still read.
    await queries.cancelQueries({ queryKey: holdsKey });
    queries.setQueryData<HoldsQuery>(holdsKey, (holds) => holds && { ...holds, [hold]: null });
    void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== holdsKey[0] });
  };
  return (
    <section aria-label={label} className={`${look.message} ${look.refusal} ${look.line} ${css.bar}`}>
      <p>{children}</p>
      {!readOnly && (
        <DialogButton
          dialog={(close) => (
            <Question {...asked} onSuccess={() => confirmed(close)} onClose={close}>
              {question}
            </Question>
          )}
        >
          Decide…
        </DialogButton>
      )}
    </section>
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
