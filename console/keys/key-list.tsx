/**
 * A list of keys, with the way to a new one and the question before one is revoked.
 */
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { readAgain } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Question } from "../parts/page/form-dialog.tsx";
import { List } from "../parts/page/list.tsx";
import { Empty, Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { Ago } from "../parts/text/time.tsx";
import css from "./keys.module.css";
import { isWorking } from "./queries.ts";

/** What both kinds of keys have. */
interface AnyKey {
  readonly id: string;
  readonly name: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

interface KeyListProps<Key> {
  /** What a key of the list is called. */
  readonly kind: "API key" | "TSIG key";
  readonly keys: UseInfiniteQueryResult<InfiniteData<{ readonly nodes: readonly Key[] } | null>>;
  /** What the list is for, where it has no key. */
  readonly about: string;
  /** The headings before that of the end. */
  readonly headings: readonly string[];
  /** The cells below them. */
  readonly cells: (key: Key) => ReactNode;
  /** What distinguishes a key from others of its name. */
  readonly nameOf: (key: Key) => string;
  /** Whether the form of a new key is open. */
  readonly isAdding: boolean;
  readonly onAdding: (isAdding: boolean) => void;
  readonly form: (close: () => void) => ReactNode;
  /** The name under which the list is read. */
  readonly list: "api-keys" | "tsig-keys";
  readonly revoke: (key: Key) => Promise<unknown>;
  /** What happens once a key is revoked. */
  readonly warning: (key: Key) => string;
  /** Whether the page itself is signed in with a key: then Enter does not confirm. */
  readonly isOwn?: (key: Key) => boolean;
}

export function KeyList<Key extends AnyKey>(props: KeyListProps<Key>) {
  const { kind, keys, headings, cells, nameOf, isOwn = () => false, onAdding } = props;
  const { readOnly } = useViewer();
  const [revoked, setRevoked] = useState<Key>();
  const now = Date.now();
  const add = !readOnly && (
    <Button kind="primary" icon="plus" aria-label={`New ${kind}`} onClick={() => onAdding(true)}>
      {kind}
    </Button>
  );
  return (
    <Page title={`${kind}s`} actions={add}>
      <List
        query={keys}
        what="keys"
        label={`${kind}s`}
        headings={[...headings, "Ends"]}
        hasActions
        empty={
          <Empty title={`There are no ${kind}s`} action={add}>
            {props.about}
          </Empty>
        }
        row={(key) => (
          <tr key={key.id} className={isWorking(key, now) ? undefined : css.ended}>
            {cells(key)}
            <td data-label="ends">
              <EndText of={key} now={now} />
            </td>
            <td className={table.end}>
              {isWorking(key, now) && !readOnly && (
                <Button kind="danger" aria-label={`Revoke ${nameOf(key)}`} onClick={() => setRevoked(key)}>
                  Revoke
                </Button>
              )}
            </td>
          </tr>
        )}
      />
      {props.isAdding && !readOnly && props.form(() => onAdding(false))}
      {revoked && (
        <Question
          title={isOwn(revoked) ? `Revoke ${revoked.name}, and be signed out?` : `Revoke ${revoked.name}?`}
          action="Revoke the key"
          byEnter={!isOwn(revoked)}
          send={() => props.revoke(revoked)}
          onSent={() => {
            announceResult(`${revoked.name} is revoked.`);
            setRevoked(undefined);
            readAgain(props.list);
          }}
          onClose={() => setRevoked(undefined)}
        >
          {props.warning(revoked)}
        </Question>
      )}
    </Page>
  );
}

/** When a key ended or ends. */
function EndText({ of: { revokedAt, expiresAt }, now }: { readonly of: AnyKey; readonly now: number }) {
  if (!revokedAt && !expiresAt) return "never";
  const isEnded = !isWorking({ revokedAt, expiresAt }, now);
  return (
    <>
      {revokedAt ? "revoked " : isEnded && "ended "}
      <Ago time={revokedAt ?? expiresAt ?? ""} />
    </>
  );
}
