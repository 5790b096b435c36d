/**
 * The users, who own zones; for administrators.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Field } from "../parts/control/field.tsx";
import { Menu, MenuItem } from "../parts/control/menu.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { List } from "../parts/page/list.tsx";
import { Empty, Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { Ago } from "../parts/text/time.tsx";
import { Figure } from "../parts/zone/figure.tsx";
import { DeleteUser } from "./delete-user.tsx";
import { createUser, type ListedUser, updateUser, userListOptions } from "./queries.ts";
import { UserQuota } from "./user-quota.tsx";
import { UserReview } from "./user-review.tsx";

const route = getRouteApi("/shell/settings/users");

export function Users() {
  const { readOnly } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<{
    readonly what: "edit" | "review" | "quota" | "delete";
    readonly user: ListedUser;
  }>();
  const users = useInfiniteQuery(userListOptions);
  const add = !readOnly && (
    <Button kind="primary" icon="plus" aria-label="New user" onClick={() => void navigate({ search: { new: "user" } })}>
      User
    </Button>
  );
  return (
    <Page title="Users" actions={add}>
      <List
        query={users}
        what="users"
        label="Users"
        headings={["E-mail", "Zones", "Records", "Changes today", "Created"]}
        hasActions
        empty={
          <Empty title="There are no users yet" action={add}>
            A user owns zones, and has API keys that reach these alone.
          </Empty>
        }
        row={(user) => (
          <tr key={user.id}>
            <td className={table.name}>
              <Link to="/zones" search={{ owner: user.email }}>
                {user.email}
              </Link>
            </td>
            <Figures user={user} />
            <td data-label="created">
              <Ago time={user.createdAt} />
            </td>
            <td className={table.end}>
              {!readOnly && (
                <Menu icon="more" label={`More for ${user.email}`}>
                  <MenuItem onClick={() => setOpen({ what: "edit", user })}>Change the address…</MenuItem>
                  <MenuItem onClick={() => setOpen({ what: "review", user })}>Review…</MenuItem>
                  <MenuItem onClick={() => setOpen({ what: "quota", user })}>Quota…</MenuItem>
                  <MenuItem danger onClick={() => setOpen({ what: "delete", user })}>
                    Delete…
                  </MenuItem>
                </Menu>
              )}
            </td>
          </tr>
        )}
      />
      {search.new && !readOnly && <UserForm onClose={() => void navigate({ search: {}, replace: true })} />}
      {open?.what === "edit" && <UserForm user={open.user} onClose={() => setOpen(undefined)} />}
      {open?.what === "review" && <UserReview user={open.user} onClose={() => setOpen(undefined)} />}
      {open?.what === "quota" && <UserQuota user={open.user} onClose={() => setOpen(undefined)} />}
      {open?.what === "delete" && <DeleteUser user={open.user} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

/** What a user has, each with its limit. */
function Figures({ user: { quota } }: { readonly user: ListedUser }) {
  return (
    <>
      <td>
        <Figure of="domains" quota={quota.domains} />
      </td>
      <td>
        <Figure of="records" quota={quota.records} />
      </td>
      <td data-label="today">
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
