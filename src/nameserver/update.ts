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
import { algorithmOf, readTsig } from "../dns/message/tsig.ts";
import { lowerName, nameText } from "../dns/name.ts";
import { codes, Refusal, refusalOf } from "../errors.ts";
import { NoTurn, Turns } from "../semaphore.ts";
import { type Actor, system } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { updateZone } from "../zone/update/apply.ts";
import { describeUpdate } from "../zone/update/describe.ts";
import { readUpdate } from "../zone/update/parse.ts";
import { noteRefusedUpdate } from "../zone/update/refusal-audit.ts";
import type { Exchange } from "./request.ts";

/** What updates need of the house; `session` is one of the door `update`, `atOnce` how many may run together. */
export interface UpdateTools {
  readonly session: (actor: Actor) => Session;
  readonly log: Logger;
  readonly atOnce: number;
}

/** Updates that wait for their turn. */
const mostWaiting = 200;

/** Answers that are kept for copies of their messages. */
const mostRemembered = 10_000;

/** Refusals of messages that nobody vouches for: so many in a period are noted, the others only counted. */
const untrusted = { notes: 20, period: 10_000 };

export class Updates {
  private readonly tools: UpdateTools;
  private readonly turns: Turns;
  private readonly answers = new Map<string, Promise<Uint8Array>>();
  private periodEnd = 0;
  private notes = 0;
  private uncounted = 0;

  constructor(tools: UpdateTools) {
    this.tools = tools;
    this.turns = new Turns(tools.atOnce, mostWaiting);
  }

  /** Answers the update of an exchange. */
  async answer(exchange: Exchange): Promise<Uint8Array> {
    const { message, key, distrust } = exchange;
    if (message.edns && message.edns.version > 0) return exchange.refuse(Rcode.BADVERS);
    if (key === undefined) {
      const why = "The update is not signed; sign it with a TSIG key of this service (RFC 8945).";
      return this.refuseUntrusted(exchange, async () => why, "REFUSED");
    }
    if (distrust !== undefined) return this.refuseUntrusted(exchange, () => this.whyDistrusted(exchange), "NOTAUTH");
    return this.once(exchange, () => this.inTurn(exchange, key));
  }

  /** Runs an update once, however often its message comes. What failed on our side may be tried again. */
  private async once({ message }: Exchange, run: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const mark = Buffer.from(message.tsig?.rdata ?? []).toString("latin1");
    const known = this.answers.get(mark);
    const pending = known ?? run();
    if (!known) {
      this.answers.set(mark, pending);
      const [oldest] = this.answers.keys();
      if (this.answers.size > mostRemembered && oldest !== undefined) this.answers.delete(oldest);
    }
    const answer = Uint8Array.from(await pending);
    if ((answer[3] as number) % 16 === Rcode.SERVFAIL) this.answers.delete(mark);
    new DataView(answer.buffer).setUint16(0, message.id);
    return answer;
  }

  private async inTurn(exchange: Exchange, keyName: string): Promise<Uint8Array> {
    let release: (() => void) | undefined;
    try {
      release = await this.turns.take();
      await this.run(exchange, keyName);
      return exchange.refuse(Rcode.NOERROR);
    } catch (error) {
      const refusal =
        error instanceof NoTurn
          ? new Refusal("UNAVAILABLE", "Too many updates wait for their turn; try again in a moment.")
          : refusalOf(error, (bug, id) => this.tools.log.error({ err: bug, id }, "a dynamic update failed"));
      const { rcode } = codes[refusal.code];
      await this.note(exchange, refusal.code, rcode, refusal.message);
      return exchange.refuse(Rcode[rcode]);
    } finally {
      release?.();
    }
  }

  private async run({ message }: Exchange, keyName: string): Promise<void> {
    const key = await tsigSecret(this.tools.session(system), { name: keyName });
    if (!key) throw new Refusal("UNAUTHENTICATED", `The key ${keyName} has just been revoked.`);
    const session = this.tools.session(actorOfTsig(key));
    await updateZone(session, key, readUpdate(message, session.policy));
  }

  private async refuseUntrusted(
    exchange: Exchange,
    why: () => Promise<string>,
    rcode: "REFUSED" | "NOTAUTH",
  ): Promise<Uint8Array> {
    if (this.mayNote()) await this.note(exchange, "UNAUTHENTICATED", rcode, await why());
    return exchange.refuse(Rcode[rcode]);
  }

  private mayNote(): boolean {
    const now = performance.now();
    if (now >= this.periodEnd) {
      if (this.uncounted > 0)
        this.tools.log.warn({ count: this.uncounted }, "more unsigned or wrongly signed updates were refused");
      this.periodEnd = now + untrusted.period;
      this.notes = 0;
      this.uncounted = 0;
    }
    this.notes += 1;
    if (this.notes <= untrusted.notes) return true;
    this.uncounted += 1;
    return false;
  }

  /** Why a signature was not accepted, with what helps. */
  private async whyDistrusted({ message, key = "", distrust }: Exchange): Promise<string> {
    const algorithm = algorithmText(message) ?? "";
    const known = await whyNoTsigKey(this.tools.session(system), key, algorithm);
    const why = known ?? `${distrust}.`;
    const isWeak = algorithm === "hmac-md5" || algorithm === "hmac-sha1";
    const advice = `The client signs with ${algorithm}, which is weak; set it to hmac-sha256 there (cert-manager's default is hmac-md5).`;
    return isWeak ? `${why} ${advice}` : why;
  }

  /** Writes the log line and the audit row; a failure to is logged and changes no answer. */
  private async note(
    { message, asker, key }: Exchange,
    code: keyof typeof codes,
    rcode: string,
    reason: string,
  ): Promise<void> {
    const zone = message.questions[0] ? nameText(lowerName(message.questions[0].name)).replace(/(?<=.)\.$/, "") : "";
    const { address, protocol } = asker;
    const asked = describeUpdate(message);
    const algorithm = algorithmText(message) ?? null;
    const refused = { zone, code, rcode, reason, address, protocol, keyName: key ?? null, algorithm, asked };
    this.tools.log.warn(refused, "a dynamic update was refused");
    try {
      await noteRefusedUpdate(this.tools.session(system), refused);
    } catch (error) {
      this.tools.log.error({ err: error }, "the audit of a refused update could not be written");
    }
  }
}

/** The algorithm of a signature by its usual name, or as the client calls it. */
function algorithmText(message: Exchange["message"]): string | undefined {
  const tsig = readTsig(message);
  if (!tsig) return undefined;
  const known = algorithmOf(tsig.algorithm);
  return known ?? nameText(lowerName(tsig.algorithm)).slice(0, -1);
}
