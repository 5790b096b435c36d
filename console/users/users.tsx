/** The users, who own zones, for administrators: their addresses, their quotas, and the review of their zones. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { OnDomains, QuotaInput, UserQuotaQuery, UserReviewQuery } from "../api/generated/graphql.ts";
import { queries, readOptions } from "../api/queries.ts";
import { act, graphql, RefusedField } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { Menu, MenuItem } from "../parts/control/menu.tsx";
import look from "../parts/look.module.css";
import { FormDialog, SelectField, saved, TextField, useForm } from "../parts/page/form.tsx";
import { Read } from "../parts/page/list.tsx";
import { SettingsList } from "../parts/page/settings-list.tsx";
import { counted } from "../parts/text/counted.ts";
import { listedWords } from "../parts/text/listed-words.ts";
import { Ago } from "../parts/text/time.tsx";
import { type ReviewChoice, ReviewField } from "../parts/zone/review-policy.tsx";
import { Figure } from "../parts/zone/state.tsx";
import { type ListedUser, namedUser, type OfUser, UserField, userListOptions } from "./user-field.tsx";

const dialogs = { edit: UserForm, review: UserReview, quota: UserQuota, delete: DeleteUser };

export function Users() {
  const [open, setOpen] = useState<{ readonly what: keyof typeof dialogs; readonly user: ListedUser }>();
  const Opened = open && dialogs[open.what];
  return (
    <SettingsList
      title="Users"
      noun="user"
      none="There are no users yet"
      about="A user owns zones, and has API keys that reach these alone."
      form={(close) => <UserForm onClose={close} />}
      query={useInfiniteQuery(userListOptions)}
      keyOf={({ id }) => id}
      nameOf={({ email }) => email}
      columns={[
        ["E-mail", ({ email }) => email, { link: ({ email }) => ({ to: "/zones", search: { owner: email } }) }],
        ["Zones", ({ quota }) => <Figure of="domains" quota={quota.domains} />, { className: look.nowrap }],
        ["Records", ({ quota }) => <Figure of="records" quota={quota.records} />, { className: look.nowrap }],
        [
          "Changes today",
          ({ quota }) => <Figure of="changes" quota={quota.changesPerDay} />,
          { className: look.nowrap, label: "today" },
        ],
        ["Created", ({ createdAt }) => <Ago time={createdAt} />, { className: look.nowrap, label: "created" }],
      ]}
      actions={(user) => (
        <Menu icon="more" label={`More for ${user.email}`}>
          <MenuItem onClick={() => setOpen({ what: "edit", user })}>Change the address…</MenuItem>
          <MenuItem onClick={() => setOpen({ what: "review", user })}>Review…</MenuItem>
          <MenuItem onClick={() => setOpen({ what: "quota", user })}>Quota…</MenuItem>
          <MenuItem danger onClick={() => setOpen({ what: "delete", user })}>
            Delete…
          </MenuItem>
        </Menu>
      )}
    >
      {Opened && <Opened user={open.user} onClose={() => setOpen(undefined)} />}
    </SettingsList>
  );
}

function UserForm({ user, onClose }: { readonly user?: ListedUser; readonly onClose: () => void }) {
  const save = useForm({
    values: { email: user?.email ?? "" },
    mutationFn: async (input) =>
      user ? act("updateUser", { by: { id: user.id }, ...input }) : act("createUser", input),
    onSuccess: (_, { email }) => saved(`${email} is saved.`, onClose, "users", "user-emails"),
  });
  return (
    <FormDialog
      title={user ? `Change ${user.email}` : "New user"}
      action={user ? "Save" : "Create"}
      form={save}
      onClose={onClose}
    >
      <TextField
        name="email"
        label="E-mail"
        hint="It identifies the user; no mail is sent to it."
        inputMode="email"
        required
      />
    </FormDialog>
  );
}

function DeleteUser({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const { id, email, quota } = user;
  const count = quota.domains.usage ?? 0;
  const deletion = useForm({
    values: { onDomains: (count > 0 ? "TRANSFER" : "REFUSE") as OnDomains, transferToUserId: "", typed: "" },
    mutationFn: async ({ onDomains, transferToUserId: heir }) => {
      const to = onDomains === "TRANSFER" && { transferToUserId: await namedUser(heir, "transferToUserId") };
      return act("deleteUser", { by: { id }, onDomains, ...to });
    },
    onSuccess: () => {
      saved(`${email} is deleted.`, onClose);
      void queries.invalidateQueries();
    },
  });
  const { onDomains, typed } = deletion.values;
  const isOne = count === 1;
  return (
    <FormDialog
      title={`Delete ${email}?`}
      action="Delete the user"
      kind="danger"
      isReady={onDomains !== "DELETE" || typed.trim() === email}
      form={deletion}
      onClose={onClose}
    >
      <p>The user's keys end at once.</p>
      {count > 0 && (
        <SelectField
          name="onDomains"
          label={isOne ? "The zone of this user" : `The ${counted(count, "zone")}`}
          options={[
            ["TRANSFER", `${isOne ? "goes" : "go"} to another user`],
            ["DELETE", `${isOne ? "is" : "are"} deleted too`],
          ]}
        />
      )}
      {onDomains === "TRANSFER" && <UserField name="transferToUserId" label="New user" required />}
      {onDomains === "DELETE" && (
        <TextField
          name="typed"
          label="Type the address of the user"
          hint={`Every name server stops serving ${isOne ? "this zone" : "these zones"}.`}
        />
      )}
    </FormDialog>
  );
}

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

type LimitedUser = NonNullable<UserQuotaQuery["user"]>;

function UserQuota({ user: { id, email }, onClose }: OfUser) {
  const query = useQuery({ ...readOptions(["user-quota", id], userQuota, { id }, ({ user }) => user), gcTime: 0 });
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
      return act("setUserQuota", { by: { id }, ...limits });
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

const userReview = graphql(`
  query UserReview($id: ID!) { user(by: { id: $id }) { id email review reviewers { id email } } }
`);

export function UserReview({ user: { id, email }, onClose }: OfUser) {
  const query = useQuery({ ...readOptions(["user-review", id], userReview, { id }, ({ user }) => user), gcTime: 0 });
  return (
    <Read query={query} title={`Review of ${email}`} onClose={onClose}>
      {(user) => <ReviewForm user={user} onClose={onClose} />}
    </Read>
  );
}

type ReviewedUser = NonNullable<UserReviewQuery["user"]>;

function ReviewForm({ user, onClose }: { readonly user: ReviewedUser; readonly onClose: () => void }) {
  const { isAdministrator } = useViewer();
  const reviewers = (user.reviewers ?? []).map(({ email }) => email).join(" ");
  const save = useForm({
    values: { review: user.review as ReviewChoice, reviewerIds: reviewers },
    mutationFn: async ({ review, reviewerIds }) => {
      const others = isAdministrator && {
        reviewerIds: await Promise.all(listedWords(reviewerIds).map((email) => namedUser(email, "reviewerIds"))),
      };
      return act("updateUser", { by: { id: user.id }, review: review || "NONE", ...others });
    },
    // Zones that say nothing themselves follow it.
    onSuccess: () => saved(`The review of ${user.email} is saved.`, onClose, "zone"),
  });
  return (
    <FormDialog title={`Review of ${user.email}`} action="Save" form={save} onClose={onClose}>
      <p>This holds for the zones of {user.email} that say nothing else themselves.</p>
      <ReviewField least={user.review} isFree={isAdministrator} inherits={false} />
      {isAdministrator ? (
        <TextField
          name="reviewerIds"
          label="Other users who review"
          hint="E-mail addresses, separated by blanks. The user's own keys and administrators review anyway."
        />
      ) : (
        reviewers && <p>Besides your own keys and administrators, {reviewers} may review.</p>
      )}
    </FormDialog>
  );
}
