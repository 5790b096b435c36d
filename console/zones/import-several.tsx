/**
 * Several zones at once, each of a master file that is named after it.
 */
import { useState } from "react";
import { readAgain } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Field } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { counted } from "../parts/text/counted.ts";
import { namedUser, UserField } from "../users/user-field.tsx";
import { zoneOfFile } from "./zone-of-file.ts";

/** The zone that a master file is named after, such as `db.example.com` or `example.com.zone`. */
export const zoneOfName = (file: string) => file.replace(/^db\./, "").replace(/\.(zone|db|txt|dns)$/, "");

interface NotImported {
  readonly file: File;
  readonly reason: string;
}

export function ImportSeveral({ onClose }: { readonly onClose: () => void }) {
  const viewer = useViewer();
  const [email, setEmail] = useState("");
  const [files, setFiles] = useState<readonly File[]>([]);
  const importing = useForm({
    fields: ["userId"],
    mutationFn: async () => {
      const userId = viewer.user?.id ?? (await namedUser(email.trim()));
      const left: NotImported[] = [];
      for (const file of files)
        try {
          const note = `imported from ${file.name}`;
          await zoneOfFile({ zone: zoneOfName(file.name), userId, body: await file.text(), note });
        } catch (error) {
          left.push({ file, reason: (error as Error).message });
        }
      return left;
    },
    onSuccess: (left) => {
      announceResult(`${counted(files.length - left.length, "zone")} imported.`);
      setFiles(left.map(({ file }) => file));
      if (left.length === 0) onClose();
    },
    onSettled: () => readAgain("zones", "zone-counts"),
  });
  return (
    <FormDialog
      title="Import several zones"
      action="Import"
      isReady={files.length > 0}
      form={importing}
      onClose={onClose}
    >
      <Field label="Master files" hint="Each becomes a zone of its name, such as example.com.zone or db.example.com.">
        <input type="file" multiple onChange={({ currentTarget }) => setFiles([...(currentTarget.files ?? [])])} />
      </Field>
      {viewer.isAdministrator && (
        <UserField
          error={importing.errorOf("userId")}
          hint="The e-mail address of the user who will own them."
          required
          value={email}
          onChange={setEmail}
        />
      )}
      {importing.data?.map(({ file, reason }) => (
        <p key={file.name} role="alert">
          <b>{file.name}</b>: {reason}
        </p>
      ))}
    </FormDialog>
  );
}
