/**
 * The users, who own zones; for administrators.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Field } from "../parts/control/field.tsx";
import { Menu, MenuItem } from "../parts/control/menu.tsx";
import look from "../parts/look.module.css";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { SettingsList } from "../parts/page/settings-list.tsx";
import table from "../parts/page/table.module.css";
import { Ago } from "../parts/text/time.tsx";
import { Figure } from "../parts/zone/figure.tsx";
import { DeleteUser } from "./delete-user.tsx";
import { createUser, type ListedUser, updateUser, userListOptions } from "./queries.ts";
import { UserQuota } from "./user-quota.tsx";
import { UserReview } from "./user-review.tsx";

const route = getRouteApi("/shell/settings/users");

export function Users() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<{
    readonly what: "edit" | "review" | "quota" | "delete";
    readonly user: ListedUser;
  }>();
  return (
    <SettingsList
      title="Users"
      none="There are no users yet"
      about="A user owns zones, and has API keys that reach these alone."
      add="New user"
      onAdd={() => void navigate({ search: { new: "user" } })}
      form={search.new && <UserForm onClose={() => void navigate({ search: {}, replace: true })} />}
      query={useInfiniteQuery(userListOptions)}
      what="users"
      headings={["E-mail", "Zones", "Records", "Changes today", "Created"]}
      keyOf={({ id }) => id}
      nameOf={({ email }) => email}
      cells={(user) => (
        <>
          <td className={table.name}>
            <Link to="/zones" search={{ owner: user.email }}>
              {user.email}
            </Link>
          </td>
          <Figures user={user} />
          <td className={look.nowrap} data-label="created">
            <Ago time={user.createdAt} />
          </td>
        </>
      )}
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
      {open?.what === "edit" && <UserForm user={open.user} onClose={() => setOpen(undefined)} />}
      {open?.what === "review" && <UserReview user={open.user} onClose={() => setOpen(undefined)} />}
      {open?.what === "quota" && <UserQuota user={open.user} onClose={() => setOpen(undefined)} />}
      {open?.what === "delete" && <DeleteUser user={open.user} onClose={() => setOpen(undefined)} />}
    </SettingsList>
  );
}

/** What a user has, each with its limit. */
function Figures({ user: { quota } }: { readonly user: ListedUser }) {
  return (
    <>
      <td className={look.nowrap}>
        <Figure of="domains" quota={quota.domains} />
      </td>
      <td className={look.nowrap}>
        <Figure of="records" quota={quota.records} />
      </td>
      <td className={look.nowrap} data-label="today">
        <Figure of="changes" quota={quota.changesPerDay} />
      </td>
    </>
  );
}

interface UserFormProps {
  readonly user?: ListedUser;
  readonly onClose: () => void;
}

function UserForm({ user, onClose }: UserFormProps) {
  const [email, setEmail] = useState(user?.email ?? "");
  const save = useForm({
    fields: ["email"],
    mutationFn: async () => {
      const input = { email: email.trim() };
      return user ? run(updateUser, { input: { by: { id: user.id }, ...input } }) : run(createUser, { input });
    },
    onSuccess: () => {
      announceResult(`${email} is saved.`);
      onClose();
      readAgain("users", "user-emails");
    },
  });
  return (
    <FormDialog
      title={user ? `Change ${user.email}` : "New user"}
      action={user ? "Save" : "Create"}
      form={save}
      onClose={onClose}
    >
      <Field label="E-mail" error={save.errorOf("email")} hint="It identifies the user; no mail is sent to it.">
        <input
          type="text"
          inputMode="email"
          required
          autoComplete="off"
          spellCheck={false}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
