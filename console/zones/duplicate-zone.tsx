/**
 * A zone with the records of another, under a name of its own.
 */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { readAgain } from "../api/queries.ts";
import { sendRest } from "../api/rest.ts";
import { exportUrl } from "../api/zone.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Choice } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { NewZoneFields, useNewZone } from "./new-zone-fields.tsx";
import { relativeFile } from "./renamed-file.ts";
import { zoneOfFile } from "./zone-of-file.ts";
import type { ListedZone } from "./zone-queries.ts";

/** What a copy is made of. */
interface Copy {
  readonly source: string;
  readonly zone: string;
  readonly userId: string;
  /** Whether names of the source in the data become names of the copy. */
  readonly renames: boolean;
}

async function duplicate({ source, zone, userId, renames }: Copy) {
  const body = relativeFile(await (await sendRest(exportUrl(source))).text(), source, renames);
  return zoneOfFile({ zone, userId, body, note: `copy of ${source}` });
}

interface DuplicateZoneProps {
  readonly zone: Pick<ListedZone, "zone" | "zoneUnicode" | "user">;
  readonly onClose: () => void;
}

export function DuplicateZone({ zone: source, onClose }: DuplicateZoneProps) {
  const fields = useNewZone(source.user?.email);
  const [renames, setRenames] = useState(true);
  const navigate = useNavigate();
  const duplication = useForm({
    fields: ["zone", "userId", "user_id"],
    mutationFn: async () => duplicate({ source: source.zone, ...(await fields.read()), renames }),
    onSuccess: async (copy) => {
      announceResult(`${copy.zoneUnicode} is created with the records of ${source.zoneUnicode}.`);
      onClose();
      await navigate({ to: "/zones/$zone", params: { zone: copy.zone } });
    },
    onSettled: () => {
      readAgain("zones", "zone-counts");
    },
  });
  return (
    <FormDialog title={`Duplicate ${source.zoneUnicode}`} action="Duplicate" form={duplication} onClose={onClose}>
      <NewZoneFields
        label="New zone"
        hint="It gets all records of this one, and its SOA."
        fields={fields}
        zoneError={duplication.errorOf("zone")}
        userError={duplication.errorOf("userId") ?? duplication.errorOf("user_id")}
      />
      <Choice
        label="Names in the data become names of the copy"
        hint={`mail.${source.zoneUnicode}, for example, as the target of an MX. Without it they stay as they are.`}
        checked={renames}
        onChange={setRenames}
      />
    </FormDialog>
  );
}
