/**
 * An entry of the audit in the list, with all that is known of it.
 */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import listed from "../parts/page/entries.module.css";
import { Named } from "../parts/page/named.tsx";
import page from "../parts/page/page.module.css";
import { Fact } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { keyName } from "../parts/text/author.ts";
import { Ago, Exact } from "../parts/text/time.tsx";
import css from "./audit.module.css";
import { operationWords } from "./operation-words.ts";
import type { AuditSelection, ListedEntry } from "./queries.ts";

interface AuditEntryProps {
  readonly entry: ListedEntry;
  /** Filters the list by something of the entry. */
  readonly onChoose: (chosen: AuditSelection) => void;
}

export function AuditEntry({ entry, onChoose }: AuditEntryProps) {
  const { createdAt, actor, apiKeyId, address, source, operation, zone, subjectId, code, field, count, user, change } =
    entry;
  return (
    <li>
      <details>
        <summary className={`${listed.summary} ${css.summary}`}>
          <span className={css.what}>{operationWords(operation)}</span>
          <span className={css.zone}>
            {zone ? <Named text={zone} /> : <span className={table.soft}>{user?.email}</span>}
          </span>
          <span className={css.by}>
            {actor ? keyName(actor) : "nobody"} <span className={table.soft}>{source.toLowerCase()}</span>
          </span>
          <span className={code ? css.refused : table.soft}>
            {code ? <code>{code}</code> : "done"}
            {count > 1 && ` ${count} times`}
          </span>
          <span className={css.when}>
            <Ago time={createdAt} />
          </span>
        </summary>
        <dl className={`${page.facts} ${css.body}`}>
          <Fact name="time">
            <Exact time={createdAt} />
          </Fact>
          <Fact name="operation">
            <Choice label={`Only ${operationWords(operation)}`} onClick={() => onChoose({ operation })}>
              {operation}
            </Choice>
          </Fact>
          {actor && (
            <Fact name="key">
              <Choice label={`Only what ${actor} did`} onClick={() => onChoose({ actor })}>
                {actor}
              </Choice>
              {apiKeyId && <span className={`${table.soft} ${css.id}`}>{apiKeyId}</span>}
            </Fact>
          )}
          {address && (
            <Fact name="address">
              <span className={table.mono}>{address}</span>
            </Fact>
          )}
          {user && (
            <Fact name="user">
              <Choice label={`Only what is of ${user.email}`} onClick={() => onChoose({ user: user.id })}>
                {user.email}
              </Choice>
            </Fact>
          )}
          {zone && (
            <Fact name="zone">
              <Link to="/zones/$zone" params={{ zone }}>
                <Named text={zone} />
              </Link>
            </Fact>
          )}
          {change && (
            <Fact name="change">
              <Link to="/changes/$change" params={{ change: change.id }} className={table.mono}>
                {change.serial}
              </Link>{" "}
              <Named text={change.summary ?? ""} />
            </Fact>
          )}
          {subjectId && (
            <Fact name="about">
              <Subject id={subjectId} />
            </Fact>
          )}
          {field && (
            <Fact name="field">
              <code>{field}</code>
            </Fact>
          )}
        </dl>
      </details>
    </li>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Something of an entry by which the list is filtered when it is pressed. */
function Choice({ label, onClick, children }: ChoiceProps) {
  return (
    <button type="button" className={css.choice} title={label} onClick={onClick}>
      {children}
    </button>
  );
}

/** What an id says of its type, for those that have a page of their own. */
const idStep = 16;
const [ofChangeSet, ofTemplate] = [9, 10];

/** What an entry is about beside a zone, by its id. */
function Subject({ id }: { readonly id: string }) {
  const type = Number(id) % idStep;
  const shown = <span className={table.mono}>{id}</span>;
  if (type === ofChangeSet)
    return (
      <Link to="/changes/$change" params={{ change: id }}>
        change set {shown}
      </Link>
    );
  if (type === ofTemplate)
    return (
      <Link to="/settings/templates/$template" params={{ template: id }}>
        template {shown}
      </Link>
    );
  return shown;
}
