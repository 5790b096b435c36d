/**
 * The quotas of a user, which an administrator sets: a number, no limit, or what the settings of the service say.
 */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { QuotaInput, UserQuotaQuery } from "../api/generated/graphql.ts";
import { readAgain } from "../api/queries.ts";
import { RefusedField } from "../api/refused.ts";
import { run } from "../api/run.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Dialog } from "../parts/control/dialog.tsx";
import { Field, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Reading } from "../parts/page/list.tsx";
import { Figure } from "../parts/zone/figure.tsx";

const userQuota = graphql(`
  query UserQuota($id: ID!) {
    user(by: { id: $id }) {
      id email
      quota {
        domains { limit isDefault usage }
        recordsPerDomain { limit isDefault }
        records { limit isDefault usage }
        changesPerDay { limit isDefault usage }
      }
    }
  }
`);

const setUserQuota = graphql(`
  mutation SetUserQuota($input: SetUserQuotaInput!) {
    setUserQuota(input: $input) { user { id } }
  }
`);

type LimitedUser = NonNullable<UserQuotaQuery["user"]>;

const userQuotaOptions = (id: string) =>
  queryOptions({
    queryKey: ["user-quota", id],
    queryFn: async ({ signal }) => (await run(userQuota, { id }, signal)).user as LimitedUser,
  });

interface UserQuotaProps {
  readonly user: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
}

export function UserQuota({ user, onClose }: UserQuotaProps) {
  const { data, error, isFetching } = useQuery({ ...userQuotaOptions(user.id), gcTime: 0 });
  if (data && !isFetching) return <QuotaForm user={data} onClose={onClose} />;
  return (
    <Dialog title={`Quota of ${user.email}`} onClose={onClose}>
      <Reading query={{ error }} />
    </Dialog>
  );
}

const noLimit = "no limit";
const names = ["domains", "records", "recordsPerDomain", "changesPerDay"] as const;
type Name = (typeof names)[number];
type Texts = Readonly<Record<Name, string>>;

const labels: Texts = {
  domains: "Zones",
  records: "Records of all zones",
  recordsPerDomain: "Records of a zone",
  changesPerDay: "Changes a day",
};

/** A limit as it is written: nothing stands for that of the settings. */
const textOf = ({ limit, isDefault }: Pick<LimitedUser["quota"]["domains"], "limit" | "isDefault">) =>
  isDefault ? "" : limit === null || limit === undefined ? noLimit : String(limit);

/** A limit that was written, as the service takes it. */
function limitOf(name: Name, text: string): QuotaInput {
  const written = text.trim().toLowerCase();
  if (written === "") return { isDefault: true };
  if (written === noLimit) return { limit: null };
  if (/^\d{1,10}$/.test(written)) return { limit: Number(written) };
  throw new RefusedField(name, `Write a whole number from 0, or ${noLimit}.`);
}

function QuotaForm({ user, onClose }: { readonly user: LimitedUser; readonly onClose: () => void }) {
  const { id, email, quota } = user;
  const choices = useId();
  const [texts, setTexts] = useState(
    () => Object.fromEntries(names.map((name) => [name, textOf(quota[name])])) as Texts,
  );
  const save = useForm({
    fields: names.flatMap((name) => [name, `${name}.limit`]),
    mutationFn: async () => {
      const limits = Object.fromEntries(names.map((name) => [name, limitOf(name, texts[name])]));
      return run(setUserQuota, { input: { by: { id }, ...limits } });
    },
    onSuccess: () => {
      announceResult(`The quota of ${email} is saved.`);
      onClose();
      readAgain("users");
    },
  });
  const now: Readonly<Record<Name, React.ReactNode>> = {
    domains: <Figure of="domains" quota={{ usage: quota.domains.usage }} more=" now" />,
    records: <Figure of="records" quota={{ usage: quota.records.usage }} more=" now" />,
    recordsPerDomain: "SOA and NS records count too.",
    changesPerDay: <Figure of="changes" quota={{ usage: quota.changesPerDay.usage }} more=" since midnight, UTC" />,
  };
  return (
    <FormDialog title={`Quota of ${email}`} action="Save" form={save} onClose={onClose}>
      <p>
        Nothing that is there is taken away. A field that is empty takes the default of the service; write “{noLimit}”
        for none at all.
      </p>
      {names.map((name) => (
        <Field
          key={name}
          label={labels[name]}
          error={save.errorOf(name) ?? save.errorOf(`${name}.limit`)}
          hint={now[name]}
        >
          <TextInput
            list={choices}
            placeholder={
              quota[name].isDefault ? `Default: ${quota[name].limit?.toLocaleString() ?? noLimit}` : "Default"
            }
            value={texts[name]}
            onChange={(text) => setTexts({ ...texts, [name]: text })}
          />
        </Field>
      ))}
      <datalist id={choices}>
        <option value={noLimit} />
      </datalist>
    </FormDialog>
  );
}
