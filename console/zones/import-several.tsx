/**
 * New zones: one with the usual records, or with those of a master file, which is checked by a dry run before; and several at once, each of
 * a file that is named after it.
 */
import { readAgain } from "../api/queries.ts";
import { sendRest } from "../api/rest.ts";
import { graphql, RefusedField, run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { exportUrl } from "../api/zone.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Field } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form.tsx";
import { counted } from "../parts/text/counted.ts";
import { ownerOf, UserField } from "../users/user-field.tsx";

/** The zone that a master file is named after, such as `db.example.com` or `example.com.zone`. */
export const zoneOfName = (file: string) => file.replace(/^db\./, "").replace(/\.(zone|db|txt|dns)$/, "");

export function ImportSeveral({ onClose }: { readonly onClose: () => void }) {
  const viewer = useViewer();
  const importing = useForm({
    values: { userId: "", files: [] as readonly File[] },
    mutationFn: async ({ userId: email, files }) => {
      const userId = await ownerOf(viewer, email);
      const left: { readonly file: File; readonly reason: string }[] = [];
      for (const file of files)
        try {
          const note = `imported from ${file.name}`;
          await zoneOfFile({ zone: zoneOfName(file.name), userId, body: await file.text(), note });
        } catch (error) {
          left.push({ file, reason: (error as Error).message });
        }
      return left;
    },
    onSuccess: (left, { files }) => {
      announceResult(`${counted(files.length - left.length, "zone")} imported.`);
      importing.set({ files: left.map(({ file }) => file) });
      if (left.length === 0) onClose();
    },
    onSettled: () => readAgain("zones", "zone-counts"),
  });
  return (
    <FormDialog
      title="Import several zones"
      action="Import"
      isReady={importing.values.files.length > 0}
      form={importing}
      onClose={onClose}
    >
      <Field label="Master files" hint="Each becomes a zone of its name, such as example.com.zone or db.example.com.">
        <input type="file" multiple onChange={({ target }) => importing.set({ files: [...(target.files ?? [])] })} />
      </Field>
      {viewer.isAdministrator && <UserField hint="The e-mail address of the user who will own them." required />}
      {importing.data?.map(({ file, reason }) => (
        <p key={file.name} role="alert">
          <b>{file.name}</b>: {reason}
        </p>
      ))}
    </FormDialog>
  );
}

export const createZone = graphql(`
  mutation CreateZone($input: CreateDomainInput!) {
    createDomain(input: $input) { domain { id zone zoneUnicode serial } notices { code message } }
  }
`);

interface ZoneOfFile {
  readonly zone: string;
  readonly userId: string;
  readonly body: string;
  readonly note: string;
}

/** Creates the zone, and returns its name. Throws Refused, of `zone` where there is one of this name already. */
export async function zoneOfFile({ zone, userId, body, note }: ZoneOfFile) {
  const importInto = (name: string, query: Readonly<Record<string, string>>) =>
    sendRest(`${exportUrl(name)}?${new URLSearchParams({ mode: "replace", ...query })}`, {
      method: "POST",
      headers: { "Content-Type": "text/dns" },
      body,
    });
  const tried = await importInto(zone, { user_id: userId, dry_run: "yes" });
  if (((await tried.json()) as { readonly serial: number | null }).serial !== null)
    throw new RefusedField("zone", `The zone ${zone} exists already; choose another name.`);
  const { createDomain } = await run(createZone, { input: { zone, userId, note } });
  if (!createDomain) throw new Error("The answer is not complete.");
  const { domain } = createDomain;
  // Whatever else would be replaced than the records that it was created with is refused.
  await importInto(domain.zone, { expected_serial: String(domain.serial) });
  return domain;
}
