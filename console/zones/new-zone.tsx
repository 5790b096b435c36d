/** A new zone: its name, and for an administrator the user who owns it. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { serviceSettingsOptions } from "../api/service-settings.ts";
import { useViewer } from "../api/viewer.ts";
import { ProposeZone, wantsChangeSet } from "../changesets/propose.tsx";
import { type DeletedZone, formerZoneOptions } from "../history/deleted/deleted-queries.ts";
import { Deletion, RestoreZone } from "../history/deleted/restore-zone.tsx";
import { announceResult, messagesOf } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { useDebounced } from "../parts/control/hooks.ts";
import look from "../parts/look.module.css";
import { FormDialog, TextField, useForm } from "../parts/page/form.tsx";
import { TemplateFields, useTemplateChoice } from "../templates/template-fields.tsx";
import { ownerOf, UserField } from "../users/user-field.tsx";
import { createZone } from "./import-several.tsx";

interface NewZoneProps {
  readonly name: string;
  /** The id of the template that it is made from at first. */
  readonly template?: string | undefined;
  /** Whether a file is handed over that is imported into it. */
  readonly hasFile?: boolean;
  readonly onClose: () => void;
}

export function NewZone({ name: named, template, hasFile = false, onClose }: NewZoneProps) {
  const viewer = useViewer();
  const navigate = useNavigate();
  const choice = useTemplateChoice(template);
  const { chosen } = choice;
  const [restored, setRestored] = useState<DeletedZone>();
  const ownedOf = async ({ zone, userId }: { readonly zone: string; readonly userId: string }) => ({
    zone,
    userId: await ownerOf(viewer, userId),
  });
  const create = useForm({
    values: () => ({ zone: named, userId: "" }),
    fields: ["templateId", ...(chosen?.variables ?? []).map(({ name }) => choice.fieldOf(name))],
    mutationFn: async (written) => run(createZone, { input: { ...(await ownedOf(written)), ...choice.input } }),
    onSuccess: async ({ createDomain }) => {
      readAgain("zones", "zone-counts");
      if (!createDomain) return;
      // The dialog has said it already.
      const notices = createDomain.notices.filter(({ code }) => code !== "LAME_NAME_SERVERS");
      announceResult(`${createDomain.domain.zoneUnicode} is created.`, messagesOf(notices));
      const search = hasFile ? { import: "1" as const } : {};
      await navigate({ to: "/zones/$zone", params: { zone: createDomain.domain.zone }, search });
    },
  });
  const zone = create.values.zone.trim();
  const written = useDebounced(zone);
  const { data: former } = useQuery({ ...formerZoneOptions(written), enabled: written !== "" });
  const proposal = (
    <ProposeZone
      error={create.error}
      zone={zone}
      title={`Create ${zone}`}
      staged={async () => ({ create: await ownedOf({ zone, userId: create.values.userId.trim() }) })}
    >
      {chosen && <p>It gets the usual records: those of the template can be proposed once it is there.</p>}
    </ProposeZone>
  );
  if (restored) return <RestoreZone deleted={restored} onClose={onClose} />;
  return (
    <FormDialog
      title="New zone"
      action="Create the zone"
      form={wantsChangeSet(create.error) ? { ...create, rest: proposal } : create}
      onClose={onClose}
    >
      <NewZoneFields label="Zone" hint="Such as example.com." isNamed={named !== ""} />
      {former && written !== "" && (
        <div role="status">
          <p>
            A zone of this name was deleted <Deletion deleted={former} />. It cannot be restored while there is a new
            one.
          </p>
          <p>
            <Button icon="undo" onClick={() => setRestored(former)}>
              Restore it instead…
            </Button>
          </p>
        </div>
      )}
      <TemplateFields choice={choice} error={create.errorOf} />
      <FirstRecords template={chosen?.name} />
    </FormDialog>
  );
}

interface NewZoneFieldsProps {
  readonly label: string;
  readonly hint: string;
  /** Whether the name is there already, so that the user is what is left to write. */
  readonly isNamed?: boolean;
  /** What is wrong with its user by another name. */
  readonly userError?: string | undefined;
}

/** The name of a zone that is created, and for an administrator the user who will own it. */
export function NewZoneFields({ label, hint, isNamed = false, userError }: NewZoneFieldsProps) {
  const { isAdministrator } = useViewer();
  return (
    <>
      <TextField name="zone" label={label} hint={hint} required />
      {isAdministrator && (
        <UserField
          hint="The e-mail address of the user who will own it."
          error={userError}
          required
          isFirst={isNamed}
        />
      )}
    </>
  );
}

/** The first records of a new zone, of a template if it is named, and the first of the settings that make the zone useless. */
function FirstRecords({ template }: { readonly template: string | undefined }) {
  const { data: service } = useQuery(serviceSettingsOptions);
  if (!service) return null;
  const used = template ?? service.defaultTemplate;
  const [warning] = service.warnings;
  const servers = service.nameServers.map((name, at) => (
    <span key={name}>
      {at > 0 && (at === service.nameServers.length - 1 ? " and " : ", ")}
      <code>{name.replace(/\.$/, "")}</code>
    </span>
  ));
  return (
    <>
      <p className={`${look.soft} ${look.anywhere}`}>
        {used ? (
          <>
            It begins with the records of {used}, and where those have no SOA or NS, with a SOA and NS of {servers}.
          </>
        ) : (
          <>
            It begins with a SOA, NS of {servers}, and <code>www</code>.
          </>
        )}
      </p>
      {warning && <p className={look.message}>{warning}</p>}
    </>
  );
}
