/** Several zones at once, each of a master file that is named after it. */
import { readAgain } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Field } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form.tsx";
import { counted } from "../parts/text/counted.ts";
import { ownerOf, UserField } from "../users/user-field.tsx";
import { zoneOfFile } from "./zone-of-file.ts";

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
