/**
 * From a message to its answer (RFC 1035 §4, RFC 6891 §6.1.3, RFC 8945 §5.2). Messages that are not requests get none, so that two servers
 * never answer each other without end. Limitation: NOTIFY is answered NOTIMP.
 */

import type { Reads } from "../database/point-reads.ts";
import { Malformed } from "../dns/malformed.ts";
import { Class, Flag, MetaType, Opcode, Rcode, readHeader } from "../dns/message/header.ts";
import { type Message, type Question, readMessage } from "../dns/message/message-reader.ts";
import { TypeCode } from "../dns/type-codes.ts";
import { type Answer, answerQuestion, parentsOf, ZoneChanged } from "./answer.ts";
import type { AnswerCache } from "./answer-cache.ts";
import type { AnswerCounts } from "./answer-counts.ts";
import type { Client } from "./hooks.ts";
import { headerAlone, RequestContext } from "./request-context.ts";
import { answerTransfer, type TransferDeps } from "./transfer.ts";
import type { Freshness } from "./zone/freshness.ts";
import type { ZoneCopies } from "./zone/zone-copies.ts";
import { inSnapshot, type ServedZone, storedZones } from "./zone/zone-reader.ts";

export type Reply = Uint8Array | AsyncIterable<Uint8Array> | undefined;

/** `now` is the clock in seconds. */
export interface ServerDeps extends TransferDeps {
  readonly freshness: Freshness;
  readonly answers: AnswerCache;
  readonly counts: AnswerCounts;
  readonly copies: ZoneCopies;
  readonly weakTsig: boolean;
  readonly now: () => number;
  /** Also for unsigned and wrongly signed updates; without this function they are NOTIMP. */
  readonly update: ((request: RequestContext) => Promise<Uint8Array>) | undefined;
}

/** When the zone changed during each attempt, the reads get a snapshot. */
const maxAttempts = 3;

/** Never throws. */
export async function respond(deps: ServerDeps, octets: Uint8Array, client: Client): Promise<Reply> {
  const header = readHeader(octets);
  if (!header || header.flags & Flag.QR) return undefined;
  try {
    return (await deps.answers.find(client.protocol, octets)) ?? (await respondTo(deps, octets, client));
  } catch (error) {
    if (error instanceof Malformed) return headerAlone(header, Rcode.FORMERR);
    deps.refusals.warn({ err: error }, "a DNS request failed");
    return headerAlone(header, Rcode.SERVFAIL);
  }
}

async function respondTo(deps: ServerDeps, octets: Uint8Array, client: Client): Promise<Reply> {
  const message = readMessage(octets);
  const request = await RequestContext.open(octets, message, client, deps.hooks, deps.now, deps.weakTsig);
  if (request.holder !== undefined) client.onSigned?.(request.holder);
  if (message.opcode === Opcode.UPDATE && deps.update) return deps.update(request);
  const { tsigFailure, key } = request;
  if (tsigFailure !== undefined && key !== undefined) {
    const failure = { address: client.address, key, reason: tsigFailure };
    deps.refusals.warn(failure, "a TSIG signature was not accepted");
    deps.hooks.onTsigFailure?.(failure);
    return request.refuse(Rcode.NOTAUTH);
  }
  if (message.edns && message.edns.version > 0) return request.refuse(Rcode.BADVERS);
  if (message.opcode !== Opcode.QUERY) return request.refuse(Rcode.NOTIMP);
  return respondToQuery(deps, request, octets);
}

async function respondToQuery(deps: ServerDeps, request: RequestContext, octets: Uint8Array): Promise<Reply> {
  const [question, second] = request.message.questions;
  if (!question || second) return request.refuse(Rcode.FORMERR); // RFC 9619
  if (question.class !== Class.IN) return request.refuse(Rcode.REFUSED);
  const { type } = question;
  if (type === MetaType.AXFR || type === MetaType.IXFR) return answerTransfer(deps, request, question);
  if (type === MetaType.OPT || type === MetaType.TSIG || type === 0) return request.refuse(Rcode.FORMERR);
  if (type !== MetaType.ANY && type >= 128 && type <= 254) return request.refuse(Rcode.NOTIMP); // RFC 6895 §3.1
  const ticket = deps.freshness.ticket();
  let from: ServedZone | undefined;
  const mayServe = async (zone: ServedZone) => {
    from = zone;
    if (!zone.hidden) return true;
    if (request.key === undefined) return false;
    return (await deps.hooks.transferAccess(zone.zone, undefined, request.client.address, request.key)).mayTransfer;
  };
  const isKept = isForAll(request.message, question);
  const small = isKept ? await deps.copies.find(parentsOf(question.name)) : undefined;
  const answer = small ? await answerQuestion(small, question, mayServe) : await ofOneSerial(deps, question, mayServe);
  const reply = answer ? request.answer(answer) : request.refuse(Rcode.REFUSED);
  if (isKept && !from?.hidden) {
    deps.answers.keep(request.client.protocol, octets, reply, ticket, from);
    if (from && !small) deps.copies.noteRead(from, ticket);
  }
  return reply;
}

/**
 * Whether an answer is the same for all clients until the zone changes. An SOA is not kept: a notified secondary must never get an earlier
 * serial. A DS is not kept: the creation of another zone changes it too.
 */
function isForAll({ tsig, edns, answers, authority, additional }: Message, { type }: Question): boolean {
  const isPlain = !tsig && (edns?.options.length ?? 0) === 0;
  const hasQuestionAlone = answers.length + authority.length + additional.length === 0;
  return isPlain && hasQuestionAlone && type !== TypeCode.SOA && type !== TypeCode.DS;
}

/** An answer whose reads all saw the same serial. The first attempts use no snapshot, which costs two more statements. */
async function ofOneSerial(
  { pool, reads }: Pick<ServerDeps, "pool" | "reads">,
  question: Question,
  mayServe: (zone: ServedZone) => Promise<boolean>,
): Promise<Answer | undefined> {
  const attempt = (from: Reads) => answerQuestion(storedZones(from), question, mayServe);
  for (let left = maxAttempts; left > 0; left -= 1) {
    try {
      return await attempt(reads);
    } catch (error) {
      if (!(error instanceof ZoneChanged)) throw error;
    }
  }
  return inSnapshot(pool, attempt);
}
