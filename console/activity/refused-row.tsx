/**
 * What was refused, as a row that unfolds: a dynamic update with what was asked, or another operation.
 */
import { Link } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { buttonClass } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Lines } from "../parts/page/lines.tsx";
import page from "../parts/page/page.module.css";
import { Fact } from "../parts/page/page.tsx";
import { Row } from "../parts/stream/row.tsx";
import { unicodeText } from "../parts/text/names.ts";
import { minuteText } from "../parts/text/time.tsx";
import type { Entry, NodeOf } from "./fold.ts";

export const timesText = (count: number) => (count > 1 ? `, ${count.toLocaleString()} times` : "");

export const firstText = ({ count, since }: Pick<Entry, "count" | "since">) =>
  count > 1 ? ` · first at ${minuteText(since)}` : "";

export const refusedWord = <span className={look.del}>refused</span>;

interface UpdateRowProps {
  readonly entry: Entry;
  readonly node: NodeOf<"UpdateRefusal">;
}

export function UpdateRow({ entry, node }: UpdateRowProps) {
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
      <dl className={page.facts}>
        <Fact name="key">
          {keyName ? <code>{`${keyName}${keyAlgorithm ? ` ${keyAlgorithm}` : ""}`}</code> : "not signed"}
        </Fact>
        <Fact name="client">
          <code>
            {address} {protocol}
          </code>
        </Fact>
        <Fact name="answer">
          <code>
            {rcode} {code}
          </code>
        </Fact>
        {domain && (
          <Fact name="zone">
            <Link to="/zones/$zone" params={{ zone }}>
              {domain.zoneUnicode}
            </Link>
          </Fact>
        )}
      </dl>
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
