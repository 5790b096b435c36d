/** The API keys that the viewer sees: whose they are, what they may do, and until when; and a new one. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { readAgain } from "../api/queries.ts";
import { act, graphql, run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import look from "../parts/look.module.css";
import { Secret } from "../parts/page/copied.tsx";
import { CheckField, FormDialog, SelectField, TextField, useForm } from "../parts/page/form.tsx";
import table from "../parts/page/table.module.css";
import { listedOrNone, listedWords } from "../parts/text/listed-words.ts";
import { Ago } from "../parts/text/time.tsx";
import { ownerIfAny, UserField } from "../users/user-field.tsx";
import { apiKeysOptions, endIn, KeyList, type ListedKey, lifetimes } from "./key-list.tsx";

export function ApiKeys() {
  const { key: ownKey } = useViewer();
  const isOwn = ({ id }: ListedKey) => id === ownKey?.id;
  return (
    <KeyList
      kind="API key"
      query={useInfiniteQuery(apiKeysOptions)}
      about="They sign in here, and go along with every request of a client."
      columns={[
        [
          "Name",
          (key) => (
            <>
              {key.name}
              <code className={look.soft}> {key.fingerprint.slice(0, 8)}</code>
              {isOwn(key) && <span className={look.soft}> this one</span>}
            </>
          ),
          { className: table.name },
        ],
        ["Acts as", ({ user }) => user?.email ?? "administrator", { isCut: true }],
        ["Access", accessText, { className: look.anywhere }],
        [
          "Last used",
          // The service writes the time of the last use once an hour.
          (key) => (isOwn(key) ? "now" : key.lastUsedAt ? <Ago time={key.lastUsedAt} /> : "never"),
          { label: "last used" },
        ],
      ]}
      nameOf={({ name, fingerprint }) => `${name} ${fingerprint.slice(0, 8)}`}
      form={(close) => <NewApiKey onClose={close} />}
      list="api-keys"
      isOwn={isOwn}
      revoke={({ id }) => act("revokeApiKey", { apiKeyId: id })}
      warning={(key) =>
        isOwn(key)
          ? "You are signed in with this key: you will be signed out at once, here and wherever else it is used."
          : "Whoever uses it is refused from now on, and sign-ins with it end."
      }
    />
  );
}

function accessText({ user, readOnly, zones }: ListedKey): string {
  const access = readOnly ? "read only" : user ? "read, write" : "everything";
  return zones ? `${access} ${zones.join(", ")}` : access;
}

const createKey = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { id name } key } }
`);

/** Whose a key is that an administrator makes: it is chosen, since an administrator's may do everything. */
const owners = [
  ["", "Choose whose it is"],
  ["USER", "a user's, for the zones of that user"],
  ["ADMINISTRATOR", "an administrator's, for everything"],
] as const;

/** What a key may do, as a sentence. */
function mayText(whose: string, readOnly: boolean, zones: readonly string[], days: string): string {
  const until = lifetimes.find(([value]) => days !== "" && value === days)?.[1].replace(/^in/, "for");
  const what = zones.length > 0 ? zones.join(", ") : whose;
  return `It may ${readOnly ? "read" : "read and write"} ${what}, ${until ?? "until it is revoked"}.`;
}

function NewApiKey({ onClose }: { readonly onClose: () => void }) {
  const viewer = useViewer();
  const create = useForm({
    values: {
      name: "",
      whose: viewer.isAdministrator ? "" : "USER",
      userId: "",
      zones: "",
      readOnly: false,
      expiresAt: "",
    },
    gcTime: 0,
    mutationFn: async ({ name, whose, userId: email, zones, readOnly, expiresAt }) => {
      const isOfUser = whose === "USER";
      const userId = await ownerIfAny(viewer, isOfUser ? email : "");
      const limits = { zones: isOfUser ? listedOrNone(zones) : undefined, expiresAt: endIn(expiresAt) };
      return (await run(createKey, { input: { name, readOnly, userId, ...limits } })).createApiKey;
    },
    onSuccess: () => readAgain("api-keys"),
  });
  const { whose, userId: email, zones, readOnly, expiresAt } = create.values;
  const isOfUser = whose === "USER";
  const limited = isOfUser ? listedWords(zones) : [];
  const what = isOfUser
    ? `all zones of ${viewer.user?.email ?? (email.trim() || "the user")}`
    : "everything: all zones, users, servers and keys";
  const may = whose && mayText(what, readOnly, limited, expiresAt);
  const created = create.data;
  if (created)
    return (
      <Secret title={`Key ${created.apiKey.name}`} secret={created.key} what="the key" onClose={onClose}>
        {may}
      </Secret>
    );
  return (
    <FormDialog title="New API key" action="Create" form={create} onClose={onClose}>
      <TextField
        name="name"
        label="Name"
        hint="What it is for, such as laptop; the history names it so."
        required
        spellCheck
        maxLength={100}
      />
      {viewer.isAdministrator && <SelectField name="whose" label="Whose key" options={owners} required />}
      {viewer.isAdministrator && isOfUser && <UserField hint="The e-mail address of the user." required />}
      {isOfUser && (
        <TextField
          name="zones"
          label="Zones"
          hint="Names that it is limited to, separated by blanks; empty for all of the user's."
        />
      )}
      <SelectField name="expiresAt" label="Ends" options={lifetimes} />
      <CheckField name="readOnly" label="It may only read" />
      {may && <p>{may}</p>}
    </FormDialog>
  );
}
