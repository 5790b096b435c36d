/** What both kinds of keys have: their list, the way to a new one, and the question before one is revoked. */
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { ApiKeyListQuery, TsigKeyListQuery } from "../api/generated/graphql.ts";
import { nodesOf } from "../api/pages.ts";
import { listOptions } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Question, saved } from "../parts/page/form.tsx";
import { SettingsList, type SettingsListProps } from "../parts/page/settings-list.tsx";
import { Ago } from "../parts/text/time.tsx";

/** What both kinds of keys have; of some nobody knows when they were used. */
type AnyKey = Pick<ListedKey, "id" | "name" | "expiresAt" | "revokedAt" | "createdAt"> &
  Partial<Pick<ListedKey, "lastUsedAt">>;

interface KeyListProps<Key> extends Pick<SettingsListProps<Key>, "query" | "about" | "columns" | "nameOf" | "form"> {
  readonly kind: "API key" | "TSIG key";
  readonly list: "api-keys" | "tsig-keys";
  readonly revoke: (key: Key) => Promise<unknown>;
  readonly warning: (key: Key) => string;
  /** Whether the page itself is signed in with a key: then Enter does not confirm. */
  readonly isOwn?: (key: Key) => boolean;
}

export function KeyList<Key extends AnyKey>(props: KeyListProps<Key>) {
  const { kind, list, revoke, warning, isOwn = () => false, ...shown } = props;
  const { query, columns, nameOf } = shown;
  const { readOnly } = useViewer();
  const [revoked, setRevoked] = useState<Key>();
  const close = () => setRevoked(undefined);
  const now = Date.now();
  return (
    <SettingsList
      {...shown}
      title={`${kind}s`}
      noun="key"
      none={`There are no ${kind}s`}
      keyOf={({ id }) => id}
      isFaint={(key) => !isWorking(key, now)}
      columns={[...columns, ["Ends", (key) => <EndText of={key} now={now} />, { label: "ends" }]]}
      actions={(key) =>
        isWorking(key, now) && (
          <Button kind="quiet" aria-label={`Revoke ${nameOf(key)}`} onClick={() => setRevoked(key)}>
            Revoke…
          </Button>
        )
      }
    >
      {!readOnly && <Unused keys={nodesOf(query).filter((key) => !isOwn(key))} now={now} onRevoke={setRevoked} />}
      {revoked && (
        <Question
          title={isOwn(revoked) ? `Revoke ${revoked.name}, and be signed out?` : `Revoke ${revoked.name}?`}
          action="Revoke the key"
          byEnter={!isOwn(revoked)}
          send={() => revoke(revoked)}
          onSuccess={() => saved(`${revoked.name} is revoked.`, close, list)}
          onClose={close}
        >
          {warning(revoked)}
        </Question>
      )}
    </SettingsList>
  );
}

const dayMs = 86_400_000;
/** A key that nobody used for so long is named, days. */
const longUnused = 180;
/** An end that is as near as this needs somebody, days. */
const nearEnd = 14;

interface UnusedProps<Key> {
  readonly keys: readonly Key[];
  readonly now: number;
  readonly onRevoke: (key: Key) => void;
}

function Unused<Key extends AnyKey>({ keys, now, onRevoke }: UnusedProps<Key>) {
  const lastOf = ({ lastUsedAt, createdAt }: Key) => Date.parse(lastUsedAt ?? createdAt);
  const isUnused = (key: Key) =>
    key.lastUsedAt !== undefined && isWorking(key, now) && now - lastOf(key) > longUnused * dayMs;
  return keys.filter(isUnused).map((key) => (
    <p key={key.id} className={look.soft}>
      {key.name} was not used for {Math.floor((now - lastOf(key)) / dayMs)} days.{" "}
      <Button kind="quiet" onClick={() => onRevoke(key)}>
        Revoke it…
      </Button>
    </p>
  ));
}

function EndText({ of: { revokedAt, expiresAt }, now }: { readonly of: AnyKey; readonly now: number }) {
  if (!revokedAt && !expiresAt) return "never";
  const isEnded = !isWorking({ revokedAt, expiresAt }, now);
  const isNear = !isEnded && Date.parse(expiresAt ?? "") - now <= nearEnd * dayMs;
  return (
    <span className={isNear ? look.warn : undefined}>
      {revokedAt ? "revoked " : isEnded && "ended "}
      <Ago time={revokedAt ?? expiresAt ?? ""} />
    </span>
  );
}

const apiKeyList = graphql(`
  query ApiKeyList($after: String) {
    apiKeys(first: 100, after: $after) {
      nodes { id name fingerprint readOnly zones user { id email } createdAt expiresAt revokedAt lastUsedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedKey = NonNullable<ApiKeyListQuery["apiKeys"]>["nodes"][number];

export const apiKeysOptions = listOptions(["api-keys"], apiKeyList, {}, ({ apiKeys }) => apiKeys);

const tsigKeyList = graphql(`
  query TsigKeyList($after: String) {
    tsigKeys(first: 100, after: $after) {
      nodes { id name algorithm zones owners types transfer user { id email } createdAt expiresAt revokedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedTsigKey = NonNullable<TsigKeyListQuery["tsigKeys"]>["nodes"][number];

export const tsigKeysOptions = listOptions(["tsig-keys"], tsigKeyList, {}, ({ tsigKeys }) => tsigKeys);

const isWorking = ({ revokedAt, expiresAt }: Pick<ListedKey, "revokedAt" | "expiresAt">, now: number) =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);

/** The lifetimes of a new key to choose from, in days; empty for no end. */
export const lifetimes = [
  ["", "never"],
  ["7", "in 7 days"],
  ["30", "in 30 days"],
  ["90", "in 90 days"],
  ["365", "in a year"],
] as const;

/** The time so many days from now; undefined for no end. */
export const endIn = (days: string) =>
  days === "" ? undefined : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
