/**
 * Restores a deleted zone: a dry run says what comes back, and for whom.
 */
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { graphql } from "../../api/generated/gql.ts";
import { queries, readAgain } from "../../api/queries.ts";
import { Refused } from "../../api/refused.ts";
import { run } from "../../api/run.ts";
import { announceResult } from "../../parts/control/announce.tsx";
import { FormDialog } from "../../parts/page/form-dialog.tsx";
import { Loading } from "../../parts/page/page.tsx";
import { reasonsByField } from "../../parts/page/refusal.tsx";
import { counted } from "../../parts/text/counted.ts";
import { ProposeZone, wantsChangeSet } from "../../parts/zone/propose-zone.tsx";
import { namedUser, UserField } from "../../users/user-field.tsx";
import type { Author } from "../moment/moment.ts";
import type { DeletedZone } from "./deleted-queries.ts";

const deletedZones = graphql(`
  query DeletedZones($zone: String!, $since: DateTime!) {
    deletedDomains(filter: { zoneContains: $zone, deletedSince: $since }, last: 100) {
      nodes { ...DeletedZone }
    }
  }
`);

type Deletion = Pick<Author, "id" | "serial" | "createdAt"> & { readonly zone: string };

/** The zone that a change deleted; null when it is back already. */
export const deletedZoneOptions = ({ id, zone, serial, createdAt }: Deletion) =>
  queryOptions({
    queryKey: ["deleted-zone", id],
    queryFn: async ({ signal }) => {
      const { deletedDomains } = await run(deletedZones, { zone, since: createdAt }, signal);
      // The name may have been deleted again since, then at a later serial.
      return deletedDomains?.nodes.find((deleted) => deleted.zone === zone && deleted.serial === serial) ?? null;
    },
  });

const restoreZone = graphql(`
  mutation RestoreZone($input: RestoreDomainInput!) {
    restoreDomain(input: $input) {
      recordCount
      notices { message }
      domain { id }
    }
  }
`);

interface RestoreZoneProps {
  readonly deleted: DeletedZone;
  readonly onClose: () => void;
}

export function RestoreZone({ deleted, onClose }: RestoreZoneProps) {
  const { domainId: id, zone, zoneUnicode, user } = deleted;
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  // When its user does not exist any more, a dry run needs another user first.
  const preview = useQuery({
    queryKey: ["restoration", id],
    queryFn: ({ signal }) => run(restoreZone, { input: { by: { id }, dryRun: true } }, signal),
    enabled: user !== null,
    gcTime: 0,
  });
  const restoration = useMutation({
    mutationFn: async () =>
      run(restoreZone, { input: { by: { id }, ...(!user && { userId: await namedUser(email.trim()) }) } }),
    onSuccess: () => {
      announceResult(`${zoneUnicode} is back.`);
      queries.removeQueries({ queryKey: ["zone", zone] });
      readAgain("zones", "zone-counts", "history", "change", "deleted-zone", "deleted-zones");
      void navigate({ to: "/zones/$zone", params: { zone } });
    },
  });
  const error = restoration.error ?? preview.error;
  const reasons = reasonsByField(error, user ? [] : ["userId"]);
  const restored = async () => ({ domainId: id, ...(!user && { userId: await namedUser(email.trim()) }) });
  const restOf = (): ReactNode => {
    if (error instanceof Refused && error.code === "DUPLICATE_ZONE") return <NameInUse zone={zone} id={id} />;
    if (!wantsChangeSet(error)) return reasons.rest;
    const staged = async () => ({ restore: { zone, ...(await restored()) } });
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
          error={reasons.errorOf("userId")}
          hint="The user who owned it does not exist any more. Its records come back as they were when it was deleted."
          required
          value={email}
          onChange={setEmail}
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
