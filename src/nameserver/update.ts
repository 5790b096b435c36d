/**
 * Dynamic updates in (RFC 2136, RFC 3007 with TSIG): a message comes in, goes through the one door of the zone room, and is answered when
 * it is committed. Some run at once, some wait in line, the rest is SERVFAIL, so that a flood leaves the database to the other fronts.
 * A refusal is told in one rcode; why, stands in the log and in the audit. A copy of a signed message, sent again by a client that
 * heard nothing or by somebody who listened, is answered as the first one was and changes nothing (RFC 8945 §10.3 leaves that to us).
 * Limitations: updates are not forwarded (§6), nor signed by SIG(0); another process of the service does not know the copies of this one.
 */
import type { Logger } from "pino";
import { tsigSecret, whyNoTsigKey } from "../account/tsig-key.ts";
import { actorOfTsig } from "../account/tsig-scope.ts";
import { Rcode } from "../dns/message/header.ts";
import { algorithmOf, isWeakAlgorithm, readTsig } from "../dns/message/tsig.ts";
import { zoneNameText } from "../dns/name.ts";
import { codes, Refusal, refusalOf } from "../errors.ts";
import { QueueFull, Semaphore } from "../semaphore.ts";
import { type Actor, system } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { updateZone } from "../zone/update/apply.ts";
import { describeUpdate } from "../zone/update/describe.ts";
import { readUpdate } from "../zone/update/parse.ts";
import { noteRefusedUpdate } from "../zone/update/refusal-audit.ts";
import { RateLimitedLog } from "./rate-limited-log.ts";
import type { RequestContext } from "./request-context.ts";

/** Dependencies of the updates: `session` opens one whose door is `update`, `maxConcurrent` is the number of updates that run at once. */
export interface UpdateDeps {
  readonly session: (actor: Actor) => Session;
  readonly log: Logger;
  readonly maxConcurrent: number;
}

/** Updates that may wait for others to end. */
const maxWaitingUpdates = 200;

/** Answers that are kept for copies of their messages. */
const maxStoredAnswers = 10_000;

export class UpdateHandler {
  readonly #deps: UpdateDeps;
  readonly #semaphore: Semaphore;
  readonly #answers = new Map<string, Promise<Uint8Array>>();
  /** Refusals of messages whose signature vouches for nobody. */
  readonly #untrusted: RateLimitedLog;

  constructor(deps: UpdateDeps) {
    this.#deps = deps;
    this.#semaphore = new Semaphore(deps.maxConcurrent, maxWaitingUpdates);
    this.#untrusted = new RateLimitedLog(deps.log, "more unsigned or wrongly signed updates were refused");
  }

  /** Answers the update of an request. */
  async answer(request: RequestContext): Promise<Uint8Array> {
    const { message, key, tsigFailure } = request;
    if (message.edns && message.edns.version > 0) return request.refuse(Rcode.BADVERS);
    if (key === undefined) {
      const why = "The update is not signed; sign it with a TSIG key of this service (RFC 8945).";
      return this.#refuseUntrusted(request, async () => why, "REFUSED");
    }
    if (tsigFailure !== undefined) return this.#refuseUntrusted(request, () => this.#whyDistrusted(request), "NOTAUTH");
    return this.#once(request, () => this.#runInTurn(request, key));
  }

  /** Runs an update once, however often its message comes. What failed on our side may be tried again. */
  async #once({ message }: RequestContext, run: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const mark = Buffer.from(message.tsig?.rdata ?? []).toString("latin1");
    const known = this.#answers.get(mark);
    const pending = known ?? run();
    if (!known) {
      this.#answers.set(mark, pending);
      const [oldest] = this.#answers.keys();
      if (this.#answers.size > maxStoredAnswers && oldest !== undefined) this.#answers.delete(oldest);
    }
    const answer = Uint8Array.from(await pending);
    if ((answer[3] as number) % 16 === Rcode.SERVFAIL) this.#answers.delete(mark);
    new DataView(answer.buffer).setUint16(0, message.id);
    return answer;
  }

  async #runInTurn(request: RequestContext, keyName: string): Promise<Uint8Array> {
    let release: (() => void) | undefined;
    try {
      release = await this.#semaphore.acquire();
      await this.#run(request, keyName);
      return request.refuse(Rcode.NOERROR);
    } catch (error) {
      const refusal =
        error instanceof QueueFull
          ? new Refusal("UNAVAILABLE", "Too many updates wait for their turn; try again in a moment.")
          : refusalOf(error, (bug, id) => this.#deps.log.error({ err: bug, id }, "a dynamic update failed"));
      const { rcode } = codes[refusal.code];
      await this.#recordRefusal(request, refusal.code, rcode, refusal.message);
      return request.refuse(Rcode[rcode]);
    } finally {
      release?.();
    }
  }

  async #run({ message }: RequestContext, keyName: string): Promise<void> {
    const key = await tsigSecret(this.#deps.session(system), { name: keyName });
    if (!key) throw new Refusal("UNAUTHENTICATED", `The key ${keyName} has just been revoked.`);
    const session = this.#deps.session(actorOfTsig(key));
    await updateZone(session, key, readUpdate(message, session.policy));
  }

  async #refuseUntrusted(
    request: RequestContext,
    why: () => Promise<string>,
    rcode: "REFUSED" | "NOTAUTH",
  ): Promise<Uint8Array> {
    if (this.#untrusted.admit()) await this.#recordRefusal(request, "UNAUTHENTICATED", rcode, await why());
    return request.refuse(Rcode[rcode]);
  }

  /** Why a signature was not accepted, with what helps. */
  async #whyDistrusted({ message, key = "", tsigFailure }: RequestContext): Promise<string> {
    const algorithm = algorithmText(message) ?? "";
    const known = await whyNoTsigKey(this.#deps.session(system), key, algorithm);
    const why = known ?? `${tsigFailure}.`;
    const advice = `The client signs with ${algorithm}, which is weak; set it to hmac-sha256 there (cert-manager's default is hmac-md5).`;
    return isWeakAlgorithm(algorithm) ? `${why} ${advice}` : why;
  }

  /** Writes the log line and the audit row; a failure to is logged and changes no answer. */
  async #recordRefusal(
    { message, client, key }: RequestContext,
    code: keyof typeof codes,
    rcode: string,
    reason: string,
  ): Promise<void> {
    const zone = message.questions[0] ? zoneNameText(message.questions[0].name) || "." : "";
    const { address, protocol } = client;
    const asked = describeUpdate(message);
    const algorithm = algorithmText(message) ?? null;
    const refused = { zone, code, rcode, reason, address, protocol, keyName: key ?? null, algorithm, asked };
    this.#deps.log.warn(refused, "a dynamic update was refused");
    try {
      await noteRefusedUpdate(this.#deps.session(system), refused);
    } catch (error) {
      this.#deps.log.error({ err: error }, "the audit of a refused update could not be written");
    }
  }
}

/** The algorithm of a signature by its usual name, or as the client calls it. */
function algorithmText(message: RequestContext["message"]): string | undefined {
  const tsig = readTsig(message);
  if (!tsig) return undefined;
  return algorithmOf(tsig.algorithm) ?? zoneNameText(tsig.algorithm);
}
