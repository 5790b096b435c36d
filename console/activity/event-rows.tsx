/**
 * What beside changes happened, as rows that unfold to all that is known of it: who came in, what changed beside zones, what was refused.
 */
import { Link, type LinkProps } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { buttonClass } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Lines } from "../parts/page/copied.tsx";
import { Facts } from "../parts/page/page.tsx";
import { sourceWords } from "../parts/stream/origin.tsx";
import { Row } from "../parts/stream/stream.tsx";
import { unicodeText } from "../parts/text/names.ts";
import { Exact, minuteText } from "../parts/text/time.tsx";
import { type About, attemptOf, sentenceOf } from "./operation-words.ts";
import type { Entry, NodeOf } from "./queries.ts";

const timesText = (count: number) => (count > 1 ? `, ${count.toLocaleString()} times` : "");

const firstText = ({ count, since }: Pick<Entry, "count" | "since">) =>
  count > 1 ? ` · first at ${minuteText(since)}` : "";

const refusedWord = <span className={look.del}>refused</span>;

interface EventRowProps<Name extends Entry["node"]["__typename"]> {
  readonly entry: Entry;
  readonly node: NodeOf<Name>;
}

/** A dynamic update that was refused, with what was asked. */
export function UpdateRow({ entry, node }: EventRowProps<"UpdateRefusal">) {
  const { readOnly } = useViewer();
  const { code, rcode, reason, address, protocol, keyName, keyAlgorithm, requestLines, zone, domain } = node;
  return (
    <Row
      time={entry.at}
      shape="REFUSED"
      title={`Update refused${timesText(entry.count)}`}
      of={domain?.zoneUnicode ?? unicodeText(zone)}
      aside={refusedWord}
      by={{ actor: keyName ?? address, isPerson: false }}
      why={reason + firstText(entry)}
    >
      <Facts
        of={{
          key: keyName ? <code>{`${keyName}${keyAlgorithm ? ` ${keyAlgorithm}` : ""}`}</code> : "not signed",
          client: <code>{`${address} ${protocol}`}</code>,
          answer: <code>{`${rcode} ${code}`}</code>,
          zone: domain && (
            <Link to="/zones/$zone" params={{ zone }}>
              {domain.zoneUnicode}
            </Link>
          ),
        }}
      />
      <Lines label="What was asked" text={requestLines.join("\n")} />
      {code === "FORBIDDEN" && keyName && !readOnly && (
        <Link to="/settings/tsig" search={{ new: "key", ...askedScope(node) }} className={buttonClass()}>
          Allow this…
        </Link>
      )}
    </Row>
  );
}

/** The scope that a key needs for what was asked: the zone, and the names and types of the records that it writes. */
function askedScope({ zone, requestLines }: NodeOf<"UpdateRefusal">) {
  const records = requestLines.flatMap((line) => {
    const [, name = "", type] = /^update (?:add|delete) (\S+)(?: \d+)?(?: ([A-Z]\S*))?/.exec(line) ?? [];
    return name === "" ? [] : [{ owner: ownerOf(name, zone), type }];
  });
  const listed = (words: readonly (string | undefined)[]) =>
    words.includes(undefined) ? undefined : [...new Set(words)].join(" ");
  return {
    zones: zone,
    owners: listed(records.map(({ owner }) => owner)),
    types: listed(records.map(({ type }) => type)),
  };
}

/** A name relative to its zone. */
function ownerOf(name: string, zone: string): string {
  const [inner, end] = [name.replace(/\.$/, ""), zone.replace(/\.$/, "")];
  return inner === end ? "@" : inner.endsWith(`.${end}`) ? inner.slice(0, -end.length - 1) : name;
}

/** An entry of the audit. */
export function EntryRow({ entry, node }: EventRowProps<"AuditEntry">) {
  const { source, operation, apiKeyId, subjectId, field, meaning, doer, client, about, refusedFor, user } = node;
  const name = node.subject && "name" in node.subject ? node.subject.name : undefined;
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
      <Facts
        of={{
          time: <Exact time={entry.at} />,
          operation: <code>{operation}</code>,
          key: doer && (
            <>
              {doer} {apiKeyId && <code>{apiKeyId}</code>}
            </>
          ),
          through: sourceWords[source],
          address: client && <code>{client}</code>,
          user: user?.email,
          zone: about !== null && (
            <Link to="/zones/$zone" params={{ zone: about }}>
              {zone}
            </Link>
          ),
          about: link ? <Link {...link}>{name ?? subjectId}</Link> : (name ?? (subjectId && <code>{subjectId}</code>)),
          code: refusedFor && <code>{refusedFor}</code>,
          field: field && <code>{field}</code>,
        }}
      />
    </Row>
  );
}

/** The page of an object of this type, for those that have one. */
function pageOf(type: string | undefined, id: string): LinkProps | undefined {
  if (type === "ChangeSet") return { to: "/changes/$change", params: { change: id } };
  if (type === "ZoneTemplate") return { to: "/settings/templates/$template", params: { template: id } };
  if (type === "Secondary") return { to: "/servers/$server", params: { server: id } };
  if (type === "Webhook") return { to: "/settings/webhooks/$webhook", params: { webhook: id } };
  return undefined;
}
