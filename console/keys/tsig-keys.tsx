/**
 * The TSIG keys that the viewer sees: what each may update, and whether it may transfer.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { Button } from "../parts/button.tsx";
import { More } from "../parts/more.tsx";
import { Empty, Loading } from "../parts/page.tsx";
import { Refusal } from "../parts/refusal.tsx";
import table from "../parts/table.module.css";
import { Ago } from "../parts/time.tsx";
import css from "./keys.module.css";
import { KeysPage } from "./keys-page.tsx";
import { NewTsigKey } from "./new-tsig-key.tsx";
import { isWorking, type ListedTsigKey, tsigKeysOptions } from "./queries.ts";
import { Revoke } from "./revoke.tsx";

const route = getRouteApi("/shell/keys/tsig");

const revokeKey = graphql(`
  mutation RevokeTsigKey($input: RevokeTsigKeyInput!) {
    revokeTsigKey(input: $input) {
      tsigKey {
        id
        revokedAt
      }
    }
  }
`);

export function TsigKeys() {
  const { readOnly } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [revoked, setRevoked] = useState<ListedTsigKey>();
  const keys = useInfiniteQuery(tsigKeysOptions);
  const rows = keys.data?.pages.flatMap((page) => page?.nodes ?? []) ?? [];
  const add = !readOnly && (
    <Button
      kind="primary"
      icon="plus"
      aria-label="New TSIG key"
      onClick={() => void navigate({ search: { new: "key" } })}
    >
      TSIG key
    </Button>
  );
  return (
    <KeysPage actions={add}>
      {keys.error && <Refusal error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isPending && !keys.error && <Loading />}
      {keys.data && rows.length === 0 && (
        <Empty title="There are no TSIG keys" action={add}>
          They sign dynamic updates, as lego, certbot, external-dns and nsupdate send them, and the transfers of name
          servers.
        </Empty>
      )}
      {rows.length > 0 && (
        <div className={table.box}>
          <table className={table.table} aria-label="TSIG keys">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">User</th>
                <th scope="col">May update</th>
                <th scope="col">May transfer</th>
                <th scope="col">Ends</th>
                <td className={table.end} />
              </tr>
            </thead>
            <tbody>
              {rows.map((key) => (
                <Row key={key.id} tsigKey={key} {...(!readOnly && { onRevoke: () => setRevoked(key) })} />
              ))}
            </tbody>
          </table>
          <More query={keys} what="keys" />
        </div>
      )}
      {search.new && !readOnly && <NewTsigKey onClose={() => void navigate({ search: {}, replace: true })} />}
      {revoked && (
        <Revoke
          name={revoked.name}
          byEnter
          list="tsig-keys"
          revoke={() => run(revokeKey, { input: { id: revoked.id } })}
          onClose={() => setRevoked(undefined)}
        >
          Dynamic updates and transfers that it signs are refused from now on.
        </Revoke>
      )}
    </KeysPage>
  );
}

/** What a key may write, as a sentence: which types, at which owners, in which zones. */
export function scopeText({
  zones,
  owners,
  types,
  user,
}: Pick<ListedTsigKey, "zones" | "owners" | "types" | "user">): string {
  if (!zones && !user) return "nothing";
  const what = types ? types.join(", ") : "all types";
  const where = owners ? ` at ${owners.join(", ")}` : "";
  return `${what}${where} in ${zones ? zones.join(", ") : "all of the user's zones"}`;
}

interface RowProps {
  readonly tsigKey: ListedTsigKey;
  readonly onRevoke?: () => void;
}

function Row({ tsigKey, onRevoke }: RowProps) {
  const { name, algorithm, user, transfer, expiresAt, revokedAt } = tsigKey;
  const works = isWorking(tsigKey, Date.now());
  return (
    <tr className={works ? undefined : css.ended}>
      <td className={table.name}>
        <code>{name}</code> <span className={table.soft}>{algorithm.toLowerCase().replaceAll("_", "-")}</span>
      </td>
      <td className={table.line} title={user?.email}>
        {user?.email ?? "no user"}
      </td>
      <td className={table.wide} data-label="updates">
        {scopeText(tsigKey)}
      </td>
      <td data-label="transfers">{transfer ? "yes" : "no"}</td>
      <td data-label="ends">
        {revokedAt ? (
          <>
            revoked <Ago time={revokedAt} />
          </>
        ) : expiresAt ? (
          <Ago time={expiresAt} />
        ) : (
          "never"
        )}
      </td>
      <td className={table.end}>
        {works && onRevoke && (
          <Button kind="quiet" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  );
}
