/**
 * Describes a dynamic update in the form of nsupdate, for the log and the audit table; at most twenty lines, also for a malformed
 * message.
 */

import { Class, MetaType } from "../../dns/message/header.ts";
import type { Message, ResourceRecord } from "../../dns/message/message-reader.ts";
import { algorithmText } from "../../dns/message/tsig.ts";
import { nameText, zoneNameText } from "../../dns/name.ts";
import { genericText, printRdata } from "../../dns/rdata/rdata.ts";
import { recordTypeByCode } from "../../dns/rdata/record-type-registry.ts";
import { unlessMalformed } from "../../session/parse-field.ts";

const maxLines = 20;
const maxLineLength = 200;

interface RefusedRequest {
  readonly zone: string;
  readonly keyName: string | null;
  readonly keyAlgorithm: string | null;
  readonly requestLines: string[];
}

/** Describes a refused update; `keyName` is the key name in its signature, which may be false. */
export function describeRefusal(message: Message, keyName: string | undefined): RefusedRequest {
  const [question] = message.questions;
  return {
    zone: question ? zoneNameText(question.name) || "." : "",
    keyName: keyName ?? null,
    keyAlgorithm: algorithmText(message) ?? null,
    requestLines: describeUpdate(message),
  };
}

export function describeUpdate({ answers, authority }: Message): string[] {
  const lines = [...answers.slice(0, maxLines).map(prerequisite), ...authority.slice(0, maxLines).map(update)];
  const shown = lines.slice(0, maxLines).map((line) => line.slice(0, maxLineLength));
  const more = answers.length + authority.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

function prerequisite(record: ResourceRecord): string {
  const name = nameText(record.name);
  const word = `${record.class === Class.NONE ? "nx" : "yx"}${record.type === MetaType.ANY ? "domain" : "rrset"}`;
  const rest = record.type === MetaType.ANY ? "" : ` ${typeText(record)}${data(record)}`;
  return `prereq ${word} ${name}${rest}`;
}

function update(record: ResourceRecord): string {
  const name = nameText(record.name);
  if (record.class === Class.IN) return `update add ${name} ${record.ttl} ${typeText(record)}${data(record)}`;
  return `update delete ${name}${record.type === MetaType.ANY ? "" : ` ${typeText(record)}${data(record)}`}`;
}

const typeText = ({ type }: ResourceRecord) => unlessMalformed(() => recordTypeByCode(type).mnemonic) ?? `TYPE${type}`;

function data({ type, rdata }: ResourceRecord): string {
  if (rdata.length === 0) return "";
  const start = rdata.subarray(0, maxLineLength);
  return ` ${unlessMalformed(() => printRdata(recordTypeByCode(type), rdata)) ?? genericText(start)}`;
}
