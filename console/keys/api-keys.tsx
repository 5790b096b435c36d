/**
 * The API keys that the viewer sees: whose they are, what they may do, and until when.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import look from "../parts/look.module.css";
import table from "../parts/page/table.module.css";
import { Ago } from "../parts/text/time.tsx";
import { KeyList } from "./key-list.tsx";
import { NewApiKey } from "./new-api-key.tsx";
import { apiKeysOptions, type ListedKey } from "./queries.ts";

const revokeKey = graphql(`
  mutation RevokeApiKey($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { id revokedAt } } }
`);

export function ApiKeys() {
  const { key: ownKey } = useViewer();
  const isOwn = ({ id }: ListedKey) => id === ownKey?.id;
  return (
    <KeyList
      kind="API key"
      keys={useInfiniteQuery(apiKeysOptions)}
      about="They sign in here, and go along with every request of a client."
      columns={[
        {
          heading: "Name",
          cell: (key) => (
            <>
              {key.name}
              <code className={look.soft}> {key.fingerprint.slice(0, 8)}</code>
              {isOwn(key) && <span className={look.soft}> this one</span>}
            </>
          ),
          className: table.name,
        },
        { heading: "Acts as", cell: ({ user }) => user?.email ?? "administrator", isCut: true },
        { heading: "Access", cell: accessText, className: look.anywhere },
        {
          heading: "Last used",
          // The service writes the time of the last use once an hour.
          cell: (key) => (isOwn(key) ? "now" : key.lastUsedAt ? <Ago time={key.lastUsedAt} /> : "never"),
          label: "last used",
        },
      ]}
      nameOf={({ name, fingerprint }) => `${name} ${fingerprint.slice(0, 8)}`}
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

function accessText({ user, readOnly, zones }: ListedKey): string {
  const access = readOnly ? "read only" : user ? "read, write" : "everything";
  return zones ? `${access} ${zones.join(", ")}` : access;
}
