/**
 * A zone with the records of another, under a name of its own. The copy is checked by a dry run of its import before the zone is created.
 */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { readAgain } from "../api/queries.ts";
import { RefusedField } from "../api/refused.ts";
import { sendRest } from "../api/rest.ts";
import { run } from "../api/run.ts";
import { exportUrl } from "../api/zone.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Choice } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { createZone } from "./new-zone.tsx";
import { NewZoneFields, useNewZone } from "./new-zone-fields.tsx";
import { relativeFile } from "./renamed-file.ts";
import type { ListedZone } from "./zone-queries.ts";

/** What a copy is made of. */
interface Copy {
  readonly source: string;
  readonly zone: string;
  readonly userId: string;
  /** Whether names of the source in the data become names of the copy. */
  readonly renames: boolean;
}

/** Creates the copy, and returns its name. */
async function duplicate({ source, zone, userId, renames }: Copy): Promise<{ zone: string; zoneUnicode: string }> {
  const body = relativeFile(await (await sendRest(exportUrl(source))).text(), source, renames);
  const importInto = (name: string, query: Readonly<Record<string, string>>) =>
    sendRest(`${exportUrl(name)}?${new URLSearchParams({ mode: "replace", ...query })}`, {
      method: "POST",
      headers: { "Content-Type": "text/dns" },
      body,
    });
  const tried = await importInto(zone, { user_id: userId, dry_run: "yes" });
  if (((await tried.json()) as { readonly serial: number | null }).serial !== null)
    throw new RefusedField("zone", `The zone ${zone} exists already; choose another name.`);
  const { createDomain } = await run(createZone, { input: { zone, userId, note: `copy of ${source}` } });
  if (!createDomain) throw new Error("The answer is not complete.");
  const { domain } = createDomain;
  // Whatever else would be replaced than the records that it was created with is refused.
  await importInto(domain.zone, { expected_serial: String(domain.serial) });
  return domain;
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
