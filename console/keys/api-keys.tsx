/**
 * The API keys that the viewer sees: whose they are, what they may do, and until when.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { Button } from "../parts/button.tsx";
import { More } from "../parts/more.tsx";
import { Loading } from "../parts/page.tsx";
import { Refusal } from "../parts/refusal.tsx";
import table from "../parts/table.module.css";
import { Ago } from "../parts/time.tsx";
import css from "./keys.module.css";
import { KeysPage } from "./keys-page.tsx";
import { NewApiKey } from "./new-api-key.tsx";
import { apiKeysOptions, isWorking, type ListedKey } from "./queries.ts";
import { Revoke } from "./revoke.tsx";

const route = getRouteApi("/shell/keys");

const revokeKey = graphql(`
  mutation RevokeApiKey($input: RevokeApiKeyInput!) {
    revokeApiKey(input: $input) {
      apiKey {
        id
        revokedAt
      }
    }
  }
`);

export function ApiKeys() {
  const viewer = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [revoked, setRevoked] = useState<ListedKey>();
  const keys = useInfiniteQuery(apiKeysOptions);
  const rows = keys.data?.pages.flatMap((page) => page?.nodes ?? []) ?? [];
  const add = !viewer.readOnly && (
    <Button
      kind="primary"
      icon="plus"
      aria-label="New API key"
      onClick={() => void navigate({ search: { new: "key" } })}
    >
      API key
    </Button>
  );
  return (
    <KeysPage actions={add}>
      {keys.error && <Refusal error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isPending && !keys.error && <Loading />}
      {rows.length > 0 && (
        <div className={table.box}>
          <table className={table.table} aria-label="API keys">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Fingerprint</th>
                <th scope="col">User</th>
                <th scope="col">May</th>
                <th scope="col">Last used</th>
                <th scope="col">Ends</th>
                <td className={table.end} />
              </tr>
            </thead>
            <tbody>
              {rows.map((key) => (
                <Row
                  key={key.id}
                  apiKey={key}
                  isOwn={key.id === viewer.key?.id}
                  {...(!viewer.readOnly && { onRevoke: () => setRevoked(key) })}
                />
              ))}
            </tbody>
          </table>
          <More query={keys} what="keys" />
        </div>
      )}
      {search.new && !viewer.readOnly && <NewApiKey onClose={() => void navigate({ search: {}, replace: true })} />}
      {revoked && (
        <Revoke
          name={revoked.name}
          byEnter={revoked.id !== viewer.key?.id}
          list="api-keys"
          revoke={() => run(revokeKey, { input: { id: revoked.id } })}
          onClose={() => setRevoked(undefined)}
        >
          {revoked.id === viewer.key?.id
            ? "You are signed in with this key: you will be signed out at once, here and wherever else it is used."
            : "Whoever uses it is refused from now on, and sign-ins with it end."}
        </Revoke>
      )}
    </KeysPage>
  );
}

interface RowProps {
  readonly apiKey: ListedKey;
  readonly isOwn: boolean;
  readonly onRevoke?: () => void;
}

function Row({ apiKey, isOwn, onRevoke }: RowProps) {
  const { name, fingerprint, user, readOnly, zones, lastUsedAt, expiresAt, revokedAt } = apiKey;
  const works = isWorking(apiKey, Date.now());
  return (
    <tr className={works ? undefined : css.ended}>
      <td className={table.name}>
        {name}
        {isOwn && <span className={table.soft}> this one</span>}
      </td>
      <td className={table.mono}>{fingerprint}</td>
      <td className={table.line} title={user?.email}>
        {user?.email ?? "administrator"}
      </td>
      <td className={table.wide}>
        {readOnly ? "read" : "read and write"}
        {zones && ` ${zones.join(", ")}`}
      </td>
      <td data-label="last used">{lastUsedAt ? <Ago time={lastUsedAt} /> : "never"}</td>
      <td data-label="ends">
        {revokedAt ? (
          <>
            revoked <Ago time={revokedAt} />
          </>
        ) : expiresAt ? (
          <>
            {works ? "" : "ended "}
            <Ago time={expiresAt} />
          </>
        ) : (
          "never"
        )}
      </td>
      <td className={table.end}>
        {works && onRevoke && (
          <Button kind="quiet" aria-label={`Revoke ${name} ${fingerprint.slice(0, 8)}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  );
}
