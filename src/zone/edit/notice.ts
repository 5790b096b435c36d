/** Notices: warnings about what a change accepted although it is probably a mistake, and about what an import corrected or left out. */

export const noticeCodes = {
  AUTOMATIC_TTL: "A TTL of 1 s, which means automatic in exports of Cloudflare.",
  DAMAGED_TEXT: "A text that was probably cut or changed on its way.",
  DEFAULT_RECORDS: "Records of the service replaced some of the file in the new zone.",
  EQUAL_RECORD: "A record of a file that is equal to an earlier one was left out.",
  FINDING_MADE: "Something that `zonesmith check` would find after the change.",
  FINDING_CORRECTED: "Something that `zonesmith check` finds, and would not find after the change.",
  FORMER_ZONE: "A deleted zone of the same name cannot be restored any more.",
  HIDDEN_BY_DELEGATION: "Data below a delegation, which is not answered (RFC 1034 §4.2.1).",
  HOST_WITHOUT_ADDRESS: "An MX or SRV record names a host inside the zone that has no address there (RFC 5321 §5.1).",
  LAME_NAME_SERVERS: "The name servers of new zones are examples that serve nothing (NAME_SERVERS).",
  LEFT_OUT: "A line of a file, or a part of one, is no zone data and was left out.",
  NAME_COMPLETED: "A relative name with dots was completed with the origin.",
  NAME_SERVER_WITHOUT_ADDRESS: "A name server inside the zone that has no address there (RFC 1034 §4.2.1).",
  OTHER_NAME_SERVERS: "A file hands the zone to other name servers than those of new zones (NAME_SERVERS).",
  REPLACED_PART: "What was staged for a zone was replaced.",
  RETURN_FIXED: "The edits that return a zone to a moment were fixed when they were staged.",
  RRSET_TTL_CHANGED: "Other records were given the new TTL of their RRset (RFC 2181 §5.2).",
  SCHEDULE_REMOVED: "A change set is not scheduled any more, since its edits changed.",
  SERIAL_LEAP: "The serial of a file is far ahead of the zone's.",
  SEVERAL_SPF_POLICIES: "A name has several SPF policies, which receivers take for an error (RFC 7208 §4.5).",
  TARGET_IS_ADDRESS: "A name in record data is an IPv4 address.",
  TARGET_IS_ALIAS: "An MX, NS or SRV record points at a CNAME (RFC 2181 §10.3).",
  TTL_UNIFIED: "A record of a file was given the TTL of its RRset (RFC 2181 §5.2).",
  UNKNOWN_CHANGE: "Changes of a change set are no longer kept, or not shown to the key.",
  UNKNOWN_RRSET: "A note was written to an RRset that the zone does not have.",
  UNKNOWN_ZONE: "A key is limited to a zone that does not exist.",
  UNUSED_VARIABLE: "A variable of a template is used by no record.",
  UNSIGNED_ZONE: "The signatures of a zone were left out and its keys kept.",
} as const;

export type NoticeCode = keyof typeof noticeCodes;

/** A warning; `field` is a field of the request, `line` a line of the master file, from 1. */
export interface Notice {
  readonly code: NoticeCode;
  readonly message: string;
  readonly owner?: string | undefined;
  readonly type?: string | undefined;
  readonly field?: string | undefined;
  readonly line?: number | undefined;
}

/** The records of an RRset that take its new TTL without an edit of their own; TTLs in seconds. */
export interface MovedTtl {
  readonly owner: string;
  readonly type: string;
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** The notice that other records of an RRset take its new TTL; `field` is the field that gave the TTL. */
export function movedTtlNotice({ owner, type, count, from, to }: MovedTtl, field?: string): Notice {
  const records = `${count} other ${count === 1 ? "record" : "records"} of ${owner} ${type}`;
  const message = `The TTL of ${records} changes from ${from} to ${to} too: an RRset has one TTL (RFC 2181 §5.2).`;
  return { code: "RRSET_TTL_CHANGED", message, owner, type, field };
}

export const withoutField = ({ field: _, ...notice }: Notice): Notice => notice;

export interface WithNotices {
  readonly notices: readonly Notice[];
}
