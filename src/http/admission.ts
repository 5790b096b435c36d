/**
 * Who makes a request, and whether it may: the key, and the limits of its address and its key on requests in a minute and in progress;
 * wrong keys have a lower one. Both ways of a request have the same counts.
 */
import type { ServerResponse } from "node:http";
import type { Config } from "../config.ts";
import { Refusal } from "../errors.ts";
import { Places } from "../turns/places.ts";
import { Turns, Work } from "../turns/work.ts";
import { RateLimit } from "./rate-limit.ts";
import type { RequestState } from "./request-state.ts";

export interface AdmissionDeps<Actor> {
  readonly config: Config;
  /** Throws UNAUTHENTICATED. */
  readonly authenticate: (key: string) => Promise<Actor>;
  /** The actor of a key that was accepted lately, at once or when it is looked up again; undefined for any other key. */
  readonly recalledActor: (key: string) => Actor | Promise<Actor> | undefined;
  readonly keyName: (actor: Actor) => string;
}

/** The longest part of a key that is looked at, characters. */
const maxKeyLength = 300;

export class Admission<Actor> {
  readonly #deps: AdmissionDeps<Actor>;
  readonly #address: RateLimit;
  readonly #key: RateLimit;
  readonly #wrongKey: RateLimit;
  readonly #ofAddress: Places;
  readonly #turns: Turns;

  constructor(deps: AdmissionDeps<Actor>) {
    const { config } = deps;
    this.#deps = deps;
    this.#address = new RateLimit(config.RATE_LIMIT_ADDRESS, "requests from this address");
    this.#key = new RateLimit(config.RATE_LIMIT_KEY, "requests with this key");
    this.#wrongKey = new RateLimit(config.RATE_LIMIT_WRONG_KEY, "wrong keys from this address");
    this.#ofAddress = new Places(config.IN_FLIGHT_ADDRESS, "requests of this address");
    this.#turns = new Turns({ connections: config.DATABASE_POOL, requestsOfKey: config.IN_FLIGHT_KEY });
  }

  /** Admits a request, or throws its refusal. The places that it has are free again when its response is closed. */
  async admit(client: string, key: string | undefined, state: RequestState, response: ServerResponse): Promise<Work> {
    whenClosed(response, this.#ofAddress.take(client));
    this.#address.take(client);
    let actor: Actor;
    try {
      actor = await this.#deps.authenticate(given(key));
    } catch (error) {
      if (error instanceof Refusal) this.#wrongKey.take(client);
      throw error;
    }
    const actorName = this.#deps.keyName(actor);
    Object.assign(state, { actor, actorName });
    this.#key.take(actorName);
    whenClosed(response, this.#turns.requests.take(actorName));
    const work = new Work(this.#turns, actorName);
    state.work = work;
    whenClosed(response, () => work.end());
    return work;
  }

  /** The actor of a key that was accepted lately. */
  recalledActor(key: string): Actor | Promise<Actor> | undefined {
    return this.#deps.recalledActor(given(key));
  }

  /** Admits a request of an actor at once if it is within the limits; otherwise undefined, and nothing is counted. */
  tryAdmit(client: string, actor: Actor, state: () => RequestState, response: ServerResponse): Work | undefined {
    const actorName = this.#deps.keyName(actor);
    if (!this.#ofAddress.hasRoom(client) || !this.#turns.requests.hasRoom(actorName)) return undefined;
    if (!this.#address.hasRoom(client) || !this.#key.hasRoom(actorName)) return undefined;
    this.#address.take(client);
    this.#key.take(actorName);
    const leave = [this.#ofAddress.take(client), this.#turns.requests.take(actorName)];
    const work = new Work(this.#turns, actorName);
    Object.assign(state(), { actor, actorName, work });
    response.once("close", () => {
      for (const each of leave) each();
      work.end();
    });
    return work;
  }
}

function given(key: string | undefined): string {
  if (key) return key.slice(0, maxKeyLength);
  throw new Refusal("UNAUTHENTICATED", "The X-API-Key header is missing; send your key in it.", { field: "X-API-Key" });
}

/** Calls `leave` when the response is closed, which it may be already. */
function whenClosed(response: ServerResponse, leave: () => void): void {
  if (response.closed) leave();
  else response.once("close", leave);
}
