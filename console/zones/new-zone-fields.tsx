/**
 * The fields of a zone that is created: its name, and for an administrator the user who will own it.
 */
import { useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { Field, TextInput } from "../parts/control/field.tsx";
import { namedUser, UserField } from "../users/user-field.tsx";

/** What is written in the fields; `firstEmail` is the address of the user at first. */
export function useNewZone(firstEmail = "", firstZone = "") {
  const viewer = useViewer();
  const [zone, setZone] = useState(firstZone);
  const [email, setEmail] = useState(firstEmail);
  /** The zone and the id of its user; throws where there is no such user. */
  const read = async () => ({ zone: zone.trim(), userId: viewer.user?.id ?? (await namedUser(email.trim())) });
  return { zone, setZone, email, setEmail, hasUser: viewer.isAdministrator, read };
}

interface NewZoneFieldsProps {
  readonly label: string;
  readonly hint: string;
  readonly fields: ReturnType<typeof useNewZone>;
  readonly zoneError: string | undefined;
  readonly userError: string | undefined;
}

export function NewZoneFields({ label, hint, fields, zoneError, userError }: NewZoneFieldsProps) {
  return (
    <>
      <Field label={label} error={zoneError} hint={hint}>
        <TextInput required value={fields.zone} onChange={fields.setZone} />
      </Field>
      {fields.hasUser && (
        <UserField
          error={userError}
          hint="The e-mail address of the user who will own it."
          required
          value={fields.email}
          onChange={fields.setEmail}
        />
      )}
    </>
  );
}
