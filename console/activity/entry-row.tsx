/**
 * An entry of the audit as a row that unfolds to all that is known of it: who came in, what changed beside zones, what was refused.
 */
import { Link, type LinkProps } from "@tanstack/react-router";
import page from "../parts/page/page.module.css";
import { Fact } from "../parts/page/page.tsx";
import { sourceWords } from "../parts/stream/origin.tsx";
import { Row } from "../parts/stream/row.tsx";
import { unicodeText } from "../parts/text/names.ts";
import { Exact } from "../parts/text/time.tsx";
import type { Entry, NodeOf } from "./fold.ts";
import { type About, attemptOf, sentenceOf } from "./operation-words.ts";
import { firstText, refusedWord, timesText } from "./refused-row.tsx";

interface EntryRowProps {
  readonly entry: Entry;
  readonly node: NodeOf<"AuditEntry">;
}

export function EntryRow({ entry, node }: EntryRowProps) {
  const { source, operation, apiKeyId, subjectId, field, meaning, doer, client, about, refusedFor, user } = node;
  const name = nameOf(node.subject);
  const zone = about === null ? undefined : unicodeText(about);
  const what: About = { name, zone, user: user?.email };
  // It is refused by its nature.
  const hasSentence = refusedFor === null || operation === "authenticate";
  const link = subjectId === null ? undefined : pageOf(node.subject?.__typename, subjectId);
  return (
    <Row
      time={entry.at}
      shape={refusedFor ? "REFUSED" : undefined}
      title={(hasSentence ? sentenceOf(operation, what) : `${attemptOf(operation)} refused`) + timesText(entry.count)}
      of={/^sign/.test(operation) && client ? `from ${client}` : refusedFor ? (zone ?? name) : undefined}
      aside={refusedFor && refusedWord}
      by={{ actor: doer, isPerson: source === "CONSOLE", title: `${doer ?? "nobody"}, ${sourceWords[source]}` }}
      why={refusedFor && `${meaning}${firstText(entry)}`}
    >
      <dl className={page.facts}>
        <Fact name="time">
          <Exact time={entry.at} />
        </Fact>
        <Fact name="operation">
          <code>{operation}</code>
        </Fact>
        {doer && (
          <Fact name="key">
            {doer} {apiKeyId && <code>{apiKeyId}</code>}
          </Fact>
        )}
        <Fact name="through">{sourceWords[source]}</Fact>
        {client && (
          <Fact name="address">
            <code>{client}</code>
          </Fact>
        )}
        {user && <Fact name="user">{user.email}</Fact>}
        {about !== null && (
          <Fact name="zone">
            <Link to="/zones/$zone" params={{ zone: about }}>
              {zone}
            </Link>
          </Fact>
        )}
        {subjectId && (
          <Fact name="about">
            {link ? <Link {...link}>{name ?? subjectId}</Link> : (name ?? <code>{subjectId}</code>)}
          </Fact>
        )}
        {refusedFor && (
          <Fact name="code">
            <code>{refusedFor}</code>
          </Fact>
        )}
        {field && (
          <Fact name="field">
            <code>{field}</code>
          </Fact>
        )}
      </dl>
    </Row>
  );
}

type Subject = NodeOf<"AuditEntry">["subject"];

function nameOf(subject: Subject): string | undefined {
  if (!subject) return undefined;
  if ("email" in subject) return subject.email;
  if ("title" in subject) return subject.title;
  return "name" in subject ? subject.name : undefined;
}

/** The page of an object of this type, for those that have one. */
function pageOf(type: string | undefined, id: string): LinkProps | undefined {
  if (type === "ChangeSet") return { to: "/changes/$change", params: { change: id } };
  if (type === "ZoneTemplate") return { to: "/settings/templates/$template", params: { template: id } };
  if (type === "Secondary") return { to: "/servers/$server", params: { server: id } };
  if (type === "Webhook") return { to: "/settings/webhooks/$webhook", params: { webhook: id } };
  return undefined;
}
