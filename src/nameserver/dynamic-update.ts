/**
 * Dynamic updates by DNS (RFC 2136, signed as in RFC 3007), answered when committed. A limited number runs, a limited number waits, and the
 * others get SERVFAIL, so that a flood leaves database connections to the other interfaces. A client gets only an rcode; the log and the
 * audit have the reason. A copy of a signed message gets the first answer again and changes nothing (RFC 8945 §10.3), whichever instance
 * gets it (account/signed-update.ts). Limitations: no forwarding (§6), no SIG(0).
 */
import type { Logger } from "pino";
import { isOfCopy, noteAnswer } from "../account/signed-update.ts";
import { whyNoTsigKey } from "../account/tsig-key.ts";
import { Rcode } from "../dns/message/header.ts";
import { algorithmText, isWeakAlgorithm } from "../dns/message/tsig.ts";
import { type Code, codes } from "../error-codes.ts";
import { errorLogger, Refusal, refusalOf } from "../errors.ts";
import type { Session, SignedMark } from "../session/session.ts";
import { inSpan } from "../trace/span.ts";
import { applyUpdate } from "../zone/dynamic-update/apply.ts";
import { describeRefusal } from "../zone/dynamic-update/describe.ts";
import { noteRefusedUpdate } from "../zone/dynamic-update/refusal-audit.ts";
import type { SigningKey } from "./hooks.ts";
import { RateLimitedLog } from "./rate-limited-log.ts";
import type { RequestContext } from "./request-context.ts";

/** `session` opens a session of the system with the source `update`; at most `maxConcurrent` updates run at a time. */
interface UpdateDeps {
  readonly session: () => Session;
  readonly log: Logger;
  readonly maxConcurrent: number;
  readonly onRefused?: (code: Code) => void;
}

const maxWaitingUpdates = 200;

export class UpdateHandler {
  readonly #deps: UpdateDeps;
  readonly #semaphore: Semaphore;
  /** The rcodes of updates in progress, by their marks. */
  readonly #running = new Map<string, Promise<number>>();
  /** Refusals of messages without an accepted signature. */
  readonly #untrusted: RateLimitedLog;

  constructor(deps: UpdateDeps) {
    this.#deps = deps;
    this.#semaphore = new Semaphore(deps.maxConcurrent, maxWaitingUpdates);
    this.#untrusted = new RateLimitedLog(deps.log, "more unsigned or wrongly signed updates were refused");
  }

  async answer(request: RequestContext): Promise<Uint8Array> {
    const { message, key, signer, signed } = request;
    if (message.edns && message.edns.version > 0) return request.refuse(Rcode.BADVERS);
    if (signer && signed) return request.refuse(await this.#once(request, signer, signed));
    if (key !== undefined) return this.#refuseUntrusted(request, () => this.#whyDistrusted(request), "NOTAUTH");
    const reason = "The update is not signed; sign it with a TSIG key of this service (RFC 8945).";
    return this.#refuseUntrusted(request, async () => reason, "REFUSED");
  }

  /** Carries out an update whose copies may arrive meanwhile; returns the rcode. */
  #once(request: RequestContext, signer: SigningKey, signed: SignedMark): Promise<number> {
    const { mark } = signed;
    const running =
      this.#running.get(mark) ?? this.#runInTurn(request, signer, signed).finally(() => this.#running.delete(mark));
    this.#running.set(mark, running);
    return running;
  }

  async #runInTurn(request: RequestContext, signer: SigningKey, signed: SignedMark): Promise<number> {
    const session = { ...this.#deps.session(), address: request.client.address, signed };
    let release: (() => void) | undefined;
    try {
      release = await this.#semaphore.acquire();
      const { change } = await inSpan("dynamic update", { isRoot: true, kind: "server" }, () =>
        applyUpdate(session, signer, request.message),
      );
      return change ? Rcode.NOERROR : (await noteAnswer(session, signed, Rcode.NOERROR)).rcode;
    } catch (error) {
      if (isOfCopy(error)) return (await noteAnswer(session, signed, Rcode.NOERROR)).rcode;
      const refusal =
        error instanceof QueueFull
          ? new Refusal("UNAVAILABLE", "Too many updates wait for their turn; try again in a moment.")
          : refusalOf(error, errorLogger(this.#deps.log, "a dynamic update failed"));
      const { rcode } = codes[refusal.code];
      // One that failed on our side may run again.
      const first = rcode === "SERVFAIL" ? undefined : await noteAnswer(session, signed, Rcode[rcode]);
      if (first?.isCopy) return first.rcode;
      this.#deps.onRefused?.(refusal.code);
      // An audit of a failure of the database would fail too, and keep the client waiting.
      if (refusal.retryAfter === undefined) await this.#recordRefusal(request, refusal.code, rcode, refusal.message);
      return Rcode[rcode];
    } finally {
      release?.();
    }
  }

  async #refuseUntrusted(
    request: RequestContext,
    why: () => Promise<string>,
    rcode: "REFUSED" | "NOTAUTH",
  ): Promise<Uint8Array> {
    this.#deps.onRefused?.("UNAUTHENTICATED");
    if (this.#untrusted.admit()) await this.#recordRefusal(request, "UNAUTHENTICATED", rcode, await why());
    return request.refuse(Rcode[rcode]);
  }

  async #whyDistrusted({ message, key = "", tsigFailure }: RequestContext): Promise<string> {
    const algorithm = algorithmText(message) ?? "";
    const why = (await whyNoTsigKey(this.#deps.session(), key, algorithm)) ?? `${tsigFailure}.`;
    const advice =
      `The client signs with ${algorithm}, which is weak; set it to hmac-sha256 there ` +
      "(cert-manager's default is hmac-md5).";
    return isWeakAlgorithm(algorithm) ? `${why} ${advice}` : why;
  }

  /** When the audit fails, the answer stays the same. */
  async #recordRefusal(request: RequestContext, code: Code, rcode: string, reason: string): Promise<void> {
    const { address, protocol } = request.client;
    const description = describeRefusal(request.message, request.key);
    const refused = { ...description, code, rcode, reason, address, protocol };
    this.#deps.log.warn(refused, "a dynamic update was refused");
    try {
      await noteRefusedUpdate(this.#deps.session(), refused);
    } catch (error) {
      this.#deps.log.error({ err: error }, "the audit of a refused update could not be written");
    }
  }
}

export class QueueFull extends Error {}

export class Semaphore {
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(permits: number, maxWaiting: number) {
    this.#free = permits;
    this.#maxWaiting = maxWaiting;
  }

  /** The returned function releases the permit and is called once. Throws QueueFull. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else if (this.#waiting.length >= this.#maxWaiting) throw new QueueFull("too many tasks wait already");
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => this.#release();
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
