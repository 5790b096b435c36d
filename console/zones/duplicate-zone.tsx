/**
 * A zone with the records of another, under a name of its own.
 */
import { useNavigate } from "@tanstack/react-router";
import { readAgain } from "../api/queries.ts";
import { sendRest } from "../api/rest.ts";
import { useViewer } from "../api/viewer.ts";
import { exportUrl } from "../api/zone.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { CheckField } from "../parts/page/fields.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { ownerOf } from "../users/user-field.tsx";
import { NewZoneFields } from "./new-zone.tsx";
import { relativeFile } from "./renamed-file.ts";
import { zoneOfFile } from "./zone-of-file.ts";
import type { ListedZone } from "./zone-queries.ts";

interface DuplicateZoneProps {
  readonly zone: Pick<ListedZone, "zone" | "zoneUnicode" | "user">;
  readonly onClose: () => void;
}

export function DuplicateZone({ zone: source, onClose }: DuplicateZoneProps) {
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
