/**
 * The users, who own zones; for administrators.
 */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { OnDomains } from "../api/generated/graphql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { Menu, MenuItem } from "../parts/control/menu.tsx";
import look from "../parts/look.module.css";
import { SelectField, saved, TextField } from "../parts/page/fields.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { SettingsList } from "../parts/page/settings-list.tsx";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { Figure } from "../parts/zone/figure.tsx";
import { createUser, type ListedUser, updateUser, userListOptions } from "./queries.ts";
import { namedUser, UserField } from "./user-field.tsx";
import { UserQuota } from "./user-quota.tsx";
import { UserReview } from "./user-review.tsx";

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
        {
          heading: "E-mail",
          cell: ({ email }) => email,
          link: ({ email }) => ({ to: "/zones", search: { owner: email } }),
        },
        {
          heading: "Zones",
          cell: ({ quota }) => <Figure of="domains" quota={quota.domains} />,
          className: look.nowrap,
        },
        {
          heading: "Records",
          cell: ({ quota }) => <Figure of="records" quota={quota.records} />,
          className: look.nowrap,
        },
        {
          heading: "Changes today",
          cell: ({ quota }) => <Figure of="changes" quota={quota.changesPerDay} />,
          className: look.nowrap,
          label: "today",
        },
        {
          heading: "Created",
          cell: ({ createdAt }) => <Ago time={createdAt} />,
          className: look.nowrap,
          label: "created",
        },
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
      user ? run(updateUser, { input: { by: { id: user.id }, ...input } }) : run(createUser, { input }),
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

const deleteUser = graphql(`
  mutation DeleteUser($input: DeleteUserInput!) { deleteUser(input: $input) { deletedId } }
`);

function DeleteUser({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const { id, email, quota } = user;
  const count = quota.domains.usage ?? 0;
  const deletion = useForm({
    values: { onDomains: (count > 0 ? "TRANSFER" : "REFUSE") as OnDomains, transferToUserId: "", typed: "" },
    mutationFn: async ({ onDomains, transferToUserId: heir }) => {
      const to = onDomains === "TRANSFER" && { transferToUserId: await namedUser(heir, "transferToUserId") };
      return run(deleteUser, { input: { by: { id }, onDomains, ...to } });
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
        <SelectField<OnDomains>
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
