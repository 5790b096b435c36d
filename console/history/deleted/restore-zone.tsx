/** When a zone was deleted, and the way to restore it: a dry run says what comes back, and for whom. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { queries, readAgain } from "../../api/queries.ts";
import { graphql, Refused, run } from "../../api/run.ts";
import { useViewer } from "../../api/viewer.ts";
import { ProposeZone, wantsChangeSet } from "../../changesets/propose.tsx";
import { announceResult } from "../../parts/control/announce.tsx";
import { Button, type ButtonKind } from "../../parts/control/button.tsx";
import { FormDialog, useForm } from "../../parts/page/form.tsx";
import { Loading, reasonsByField } from "../../parts/page/page.tsx";
import { authorName } from "../../parts/text/author.ts";
import { counted } from "../../parts/text/counted.ts";
import { Ago } from "../../parts/text/time.tsx";
import { namedUser, UserField } from "../../users/user-field.tsx";
import { type DeletedZone, deletionOf } from "./deleted-queries.ts";

const restoreZone = graphql(`
  mutation RestoreZone($input: RestoreDomainInput!) {
    restoreDomain(input: $input) {
      recordCount
      notices { message }
      domain { id }
    }
  }
`);

/** When a zone was deleted, by whom, and why. */
export function Deletion({ deleted }: { readonly deleted: DeletedZone }) {
  const deletion = deletionOf(deleted);
  return (
    <>
      <Ago time={deleted.deletedAt} />
      {deletion && ` by ${authorName(deletion)}`}
      {deletion?.note && `: ${deletion.note}`}
    </>
  );
}

interface RestoreButtonProps {
  readonly deleted: DeletedZone;
  readonly kind?: ButtonKind;
  readonly label?: string;
}

/** Opens the dialog, for a key that may write. */
export function RestoreButton({ deleted, kind, label }: RestoreButtonProps) {
  const { readOnly } = useViewer();
  const [isOpen, setOpen] = useState(false);
  if (readOnly) return null;
  return (
    <>
      <Button icon="undo" {...(kind && { kind })} aria-label={label} onClick={() => setOpen(true)}>
        Restore…
      </Button>
      {isOpen && <RestoreZone deleted={deleted} onClose={() => setOpen(false)} />}
    </>
  );
}

export function RestoreZone({ deleted, onClose }: { readonly deleted: DeletedZone; readonly onClose: () => void }) {
  const { domainId: id, zone, zoneUnicode, user } = deleted;
  const navigate = useNavigate();
  // When its user does not exist any more, a dry run needs another user first.
  const preview = useQuery({
    queryKey: ["restoration", id],
    queryFn: ({ signal }) => run(restoreZone, { input: { by: { id }, dryRun: true } }, signal),
    enabled: user !== null,
    gcTime: 0,
  });
  const heirOf = async (email: string) => !user && { userId: await namedUser(email) };
  const restoration = useForm({
    values: { userId: "" },
    mutationFn: async ({ userId }) => run(restoreZone, { input: { by: { id }, ...(await heirOf(userId)) } }),
    onSuccess: () => {
      announceResult(`${zoneUnicode} is back.`);
      queries.removeQueries({ queryKey: ["zone", zone] });
      readAgain("zones", "zone-counts", "history", "change", "deleted-zone", "deleted-zones");
      void navigate({ to: "/zones/$zone", params: { zone } });
    },
  });
  const error = restoration.error ?? preview.error;
  const reasons = reasonsByField(error, user ? [] : ["userId"]);
  const restOf = (): ReactNode => {
    if (error instanceof Refused && error.code === "DUPLICATE_ZONE") return <NameInUse zone={zone} id={id} />;
    if (!wantsChangeSet(error)) return reasons.rest;
    const staged = async () => ({
      restore: { zone, domainId: id, ...(await heirOf(restoration.values.userId.trim())) },
    });
    return <ProposeZone error={error} zone={zoneUnicode} title={`Restore ${zoneUnicode}`} staged={staged} />;
  };
  const { recordCount, notices } = preview.data?.restoreDomain ?? {};
  return (
    <FormDialog
      title={`Restore ${zoneUnicode}?`}
      action="Restore the zone"
      isReady={user === null || preview.data !== undefined}
      form={{ ...restoration, rest: restOf() }}
      onClose={onClose}
    >
      {user && preview.isPending && <Loading />}
      {recordCount !== undefined && (
        <p>
          Its {counted(recordCount, "record")} {recordCount === 1 ? "comes" : "come"} back as when it was deleted, for{" "}
          {user?.email}. Every name server that follows serves it again, with a serial after its last one.
        </p>
      )}
      {notices?.map(({ message }) => (
        <p key={message}>⚠ {message}</p>
      ))}
      {!user && (
        <UserField
          hint="The user who owned it does not exist any more. Its records come back as they were when it was deleted."
          required
        />
      )}
    </FormDialog>
  );
}

/** What to do when a new zone has the name; the focus is on its link. */
function NameInUse({ zone, id }: { readonly zone: string; readonly id: string }) {
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => box.current?.querySelector("a")?.focus(), []);
  return (
    <p ref={box} role="alert">
      There is a zone of this name now.{" "}
      <Link to="/zones/$zone" params={{ zone }}>
        Look at that
      </Link>
      : once it is deleted, this one can be restored. Or take its records from{" "}
      <Link to="/settings/deleted/$domain" params={{ domain: id }}>
        its last state
      </Link>
      .
    </p>
  );
}
