/**
 * The API keys that the viewer sees: whose they are, what they may do, and until when.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import look from "../parts/look.module.css";
import table from "../parts/page/table.module.css";
import { Ago } from "../parts/text/time.tsx";
import { KeyList } from "./key-list.tsx";
import { NewApiKey } from "./new-api-key.tsx";
import { apiKeysOptions, type ListedKey } from "./queries.ts";

const route = getRouteApi("/shell/settings/keys");

const revokeKey = graphql(`
  mutation RevokeApiKey($input: RevokeApiKeyInput!) {
    revokeApiKey(input: $input) { apiKey { id revokedAt } }
  }
`);

export function ApiKeys() {
  const { key: ownKey } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isOwn = ({ id }: ListedKey) => id === ownKey?.id;
  return (
    <KeyList
      kind="API key"
      keys={useInfiniteQuery(apiKeysOptions)}
      about="They sign in here, and go along with every request of a client."
      headings={["Name", "Acts as", "Access", "Last used"]}
      cells={(key) => <Cells apiKey={key} isOwn={isOwn(key)} />}
      nameOf={({ name, fingerprint }) => `${name} ${fingerprint.slice(0, 8)}`}
      isAdding={search.new !== undefined}
      onAdding={(isAdding) => void navigate(isAdding ? { search: { new: "key" } } : { search: {}, replace: true })}
      form={(close) => <NewApiKey onClose={close} />}
      list="api-keys"
      isOwn={isOwn}
      revoke={({ id }) => run(revokeKey, { input: { apiKeyId: id } })}
      warning={(key) =>
        isOwn(key)
          ? "You are signed in with this key: you will be signed out at once, here and wherever else it is used."
          : "Whoever uses it is refused from now on, and sign-ins with it end."
      }
    />
  );
}

function Cells({ apiKey, isOwn }: { readonly apiKey: ListedKey; readonly isOwn: boolean }) {
  const { name, fingerprint, user, readOnly, zones, lastUsedAt } = apiKey;
  return (
    <>
      <td className={table.name}>
        {name}
        <code className={look.soft}> {fingerprint.slice(0, 8)}</code>
        {isOwn && <span className={look.soft}> this one</span>}
      </td>
      <td className={`${look.cut} ${table.line}`} title={user?.email}>
        {user?.email ?? "administrator"}
      </td>
      <td className={look.anywhere}>
        {readOnly ? "read only" : !user ? "everything" : "read, write"}
        {zones && ` ${zones.join(", ")}`}
      </td>
      {/* The service writes the time of the last use once an hour. */}
      <td data-label="last used">{isOwn ? "now" : lastUsedAt ? <Ago time={lastUsedAt} /> : "never"}</td>
    </>
  );
}
