/**
 * The quotas of a user, which an administrator sets: a number, no limit, or what the settings of the service say.
 */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { QuotaInput, UserQuotaQuery } from "../api/generated/graphql.ts";
import { RefusedField } from "../api/refused.ts";
import { run } from "../api/run.ts";
import { saved, TextField } from "../parts/page/fields.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Read } from "../parts/page/list.tsx";
import { Figure } from "../parts/zone/figure.tsx";
import type { OfUser } from "./queries.ts";

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
  mutation SetUserQuota($input: SetUserQuotaInput!) { setUserQuota(input: $input) { user { id } } }
`);

type LimitedUser = NonNullable<UserQuotaQuery["user"]>;

export function UserQuota({ user: { id, email }, onClose }: OfUser) {
  const query = useQuery({
    queryKey: ["user-quota", id],
    queryFn: async ({ signal }) => (await run(userQuota, { id }, signal)).user,
    gcTime: 0,
  });
  return (
    <Read query={query} title={`Quota of ${email}`} onClose={onClose}>
      {(user) => <QuotaForm user={user} onClose={onClose} />}
    </Read>
  );
}

const noLimit = "no limit";
const labels = {
  domains: "Zones",
  records: "Records of all zones",
  recordsPerDomain: "Records of a zone",
  changesPerDay: "Changes a day",
};
type Name = keyof typeof labels;
type Texts = Readonly<Record<Name, string>>;
const names = Object.keys(labels) as Name[];

/** A limit as it is written: nothing stands for that of the settings. */
const textOf = ({ limit, isDefault }: Pick<LimitedUser["quota"]["domains"], "limit" | "isDefault">) =>
  isDefault ? "" : String(limit ?? noLimit);

/** A limit that was written, as the service takes it. */
function limitOf(name: Name, text: string): QuotaInput {
  const written = text.toLowerCase();
  if (written === "") return { isDefault: true };
  if (written === noLimit) return { limit: null };
  if (/^\d{1,10}$/.test(written)) return { limit: Number(written) };
  throw new RefusedField(name, `Write a whole number from 0, or ${noLimit}.`);
}

function QuotaForm({ user, onClose }: { readonly user: LimitedUser; readonly onClose: () => void }) {
  const { id, email, quota } = user;
  const choices = useId();
  const save = useForm({
    values: Object.fromEntries(names.map((name) => [name, textOf(quota[name])])) as Texts,
    mutationFn: async (texts) => {
      const limits = Object.fromEntries(names.map((name) => [name, limitOf(name, texts[name])]));
      return run(setUserQuota, { input: { by: { id }, ...limits } });
    },
    onSuccess: () => saved(`The quota of ${email} is saved.`, onClose, "users"),
  });
  const hints: Readonly<Record<Name, React.ReactNode>> = {
    domains: <Figure of="domains" quota={{ usage: quota.domains.usage }} more=" now" />,
    records: <Figure of="records" quota={{ usage: quota.records.usage }} more=" now" />,
    recordsPerDomain: "SOA and NS records count too.",
    changesPerDay: <Figure of="changes" quota={{ usage: quota.changesPerDay.usage }} more=" since midnight, UTC" />,
  };
  const usual = ({ isDefault, limit }: LimitedUser["quota"]["recordsPerDomain"]) =>
    isDefault ? `Default: ${limit?.toLocaleString() ?? noLimit}` : "Default";
  return (
    <FormDialog title={`Quota of ${email}`} action="Save" form={save} onClose={onClose}>
      <p>
        Nothing that is there is taken away. A field that is empty takes the default of the service; write “{noLimit}”
        for none at all.
      </p>
      {names.map((name) => (
        <TextField
          key={name}
          name={name}
          label={labels[name]}
          hint={hints[name]}
          list={choices}
          placeholder={usual(quota[name])}
        />
      ))}
      <datalist id={choices}>
        <option value={noLimit} />
      </datalist>
    </FormDialog>
  );
}
