/** The dialogs of what can be done with a zone as a whole. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { readAgain, readOptions } from "../api/queries.ts";
import { sendRest } from "../api/rest.ts";
import { act, graphql, run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { exportUrl, type ShownZone, zoneOptions } from "../api/zone.ts";
import { createSet } from "../changesets/queries.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { CheckField, FormDialog, saved, TextField, useForm } from "../parts/page/form.tsx";
import { Read } from "../parts/page/list.tsx";
import { counted } from "../parts/text/counted.ts";
import { demandsReview, demandText, policyOf, type ReviewChoice, ReviewField } from "../parts/zone/review-policy.tsx";
import { namedUser, ownerOf, UserField } from "../users/user-field.tsx";
import { zoneOfFile } from "./import-several.tsx";
import { NewZoneFields } from "./new-zone.tsx";
import { relativeFile } from "./renamed-file.ts";
import type { ListedZone } from "./zone-queries.ts";

export interface DialogProps {
  readonly zone: Pick<ListedZone, "zone" | "zoneUnicode" | "user">;
  readonly onClose: () => void;
  readonly onDeleted?: (() => void) | undefined;
}

export function ZoneReview({ zone, onClose }: DialogProps) {
  return (
    <Read query={useQuery(zoneOptions(zone.zone))} title={`Review of ${zone.zoneUnicode}`} onClose={onClose}>
      {(shown) => <ReviewForm zone={shown} onClose={onClose} />}
    </Read>
  );
}

function ReviewForm({ zone, onClose }: { readonly zone: ShownZone; readonly onClose: () => void }) {
  const { isAdministrator } = useViewer();
  const save = useForm({
    values: { review: (zone.review ?? "") as ReviewChoice },
    mutationFn: ({ review }) => act("updateDomain", { by: { zone: zone.zone }, review: review || null }),
    onSuccess: () => saved(`The review of ${zone.zoneUnicode} is saved.`, onClose, "zone"),
  });
  return (
    <FormDialog title={`Review of ${zone.zoneUnicode}`} action="Save" form={save} onClose={onClose}>
      <ReviewField
        least={policyOf(zone.requiredApprovals)}
        isFree={isAdministrator}
        inherits={isAdministrator || zone.review === null}
      />
    </FormDialog>
  );
}

/** A zone with the records of another, under a name of its own. */
export function DuplicateZone({ zone: source, onClose }: DialogProps) {
  const viewer = useViewer();
  const navigate = useNavigate();
  const duplication = useForm({
    values: { zone: "", userId: source.user?.email ?? "", renames: true },
    fields: ["user_id"],
    mutationFn: async ({ zone, userId, renames }) => {
      const text = await (await sendRest(exportUrl(source.zone))).text();
      const body = relativeFile(text, source.zone, renames);
      return zoneOfFile({ zone, userId: await ownerOf(viewer, userId), body, note: `copy of ${source.zone}` });
    },
    onSuccess: async (copy) => {
      announceResult(`${copy.zoneUnicode} is created with the records of ${source.zoneUnicode}.`);
      onClose();
      await navigate({ to: "/zones/$zone", params: { zone: copy.zone } });
    },
    onSettled: () => readAgain("zones", "zone-counts"),
  });
  return (
    <FormDialog title={`Duplicate ${source.zoneUnicode}`} action="Duplicate" form={duplication} onClose={onClose}>
      <NewZoneFields
        label="New zone"
        hint="It gets all records of this one, and its SOA."
        userError={duplication.errorOf("user_id")}
      />
      <CheckField
        name="renames"
        label="Names in the data become names of the copy"
        hint={`mail.${source.zoneUnicode}, for example, as the target of an MX. Without it they stay as they are.`}
      />
    </FormDialog>
  );
}

export function TransferZone({ zone: { zone, zoneUnicode, user }, onClose }: DialogProps) {
  const transfer = useForm({
    values: { userId: "" },
    mutationFn: async ({ userId: email }) => act("transferDomain", { by: { zone }, userId: await namedUser(email) }),
    onSuccess: (_, { userId: email }) => saved(`${zoneUnicode} belongs to ${email} now.`, onClose, "zones", "zone"),
  });
  return (
    <FormDialog title={`Transfer ${zoneUnicode}`} action="Transfer" form={transfer} onClose={onClose}>
      <UserField
        label="New user"
        hint={`${user ? `It belongs to ${user.email}, who will not see it any more. ` : ""}Records and serial stay as they are.`}
        required
      />
    </FormDialog>
  );
}

const recordCount = graphql(`
  query RecordCount($zone: String!) {
    domain(by: { zone: $zone }) { requiredApprovals records(first: 1) { totalCount } }
  }
`);

const deleteZone = graphql(`
  mutation DeleteZone($input: DeleteDomainInput!) { deleteDomain(input: $input) { deletedId } }
`);

/** Deletes a zone, whose name it asks for. */
export function DeleteZone({ zone: { zone, zoneUnicode }, onClose, onDeleted }: DialogProps) {
  const navigate = useNavigate();
  const { data } = useQuery(readOptions(["record-count", zone], recordCount, { zone }, ({ domain }) => domain));
  const demanded = policyOf(data?.requiredApprovals);
  const isReviewed = demandsReview(demanded);
  const count = data?.records?.totalCount;
  const form = useForm({
    values: { typed: "" },
    mutationFn: async () => {
      if (!isReviewed) return (await run(deleteZone, { input: { by: { zone } } })).deleteDomain;
      const words = { title: `deletion of ${zone}`, description: "", requestedApprovals: "0" };
      return createSet(words, [{ delete: { zone } }]);
    },
    onSuccess: async (done) => {
      if (done && "id" in done) {
        saved("The change set is created; nothing is deleted yet.", onClose, "change-sets");
        return navigate({ to: "/changes/$change", params: { change: done.id } });
      }
      const domain = done?.deletedId ?? "";
      const toDeleted = () => navigate({ to: "/settings/deleted/$domain", params: { domain } });
      announceResult(`${zoneUnicode} is deleted.`, [], { word: "Restore…", act: toDeleted });
      onClose();
      readAgain("zones", "zone-counts");
      return onDeleted?.();
    },
  });
  const name = form.values.typed.trim().toLowerCase().replace(/\.$/, "");
  return (
    <FormDialog
      title={`Delete ${zoneUnicode}?`}
      action={isReviewed ? "Propose the deletion" : "Delete the zone"}
      kind="danger"
      isReady={[zone, zoneUnicode].includes(name)}
      form={form}
      onClose={onClose}
    >
      <p>
        Its {typeof count === "number" ? counted(count, "record") : "records"} {count === 1 ? "goes" : "go"} with it,
        and every name server that follows stops serving it. Its history stays; from there, the zone can be restored.
      </p>
      {isReviewed && <p>{demandText(zoneUnicode, demanded)} A change set is made of the deletion.</p>}
      <TextField name="typed" label="Type the name of the zone" />
    </FormDialog>
  );
}
