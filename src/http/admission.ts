/**
 * The admission of requests: authentication, and the limits on requests in a minute (of an address and of a key) and in
 * progress (of an address and of a user). Wrong keys have a lower limit. The fast path and Express share the counts.
 */
import type { ServerResponse } from "node:http";
import type { Config } from "../config/config.ts";
import { Refusal } from "../errors.ts";
import { Places } from "../turns/client-limit.ts";
import { Turns, Work } from "../turns/queues.ts";
import type { Credential } from "./credential.ts";
import { RateLimit, type RequestCounts } from "./rate-limit.ts";
import type { RequestState } from "./request-state.ts";

export interface AdmissionDeps<Actor> {
  readonly config: Config;
  readonly counts: RequestCounts;
  /** The actor, without a promise when it was looked up a moment ago; throws UNAUTHENTICATED. */
  readonly authenticate: (credential: Credential) => Actor | Promise<Actor>;
  readonly keyName: (actor: Actor) => string;
  /** The flow for which requests in progress and turns are counted: one for all keys of a user. */
  readonly flowOf: (actor: Actor) => string;
}

export class Admission<Actor> {
  readonly #deps: AdmissionDeps<Actor>;
  readonly #address: RateLimit;
  readonly #key: RateLimit;
  readonly #wrongKey: RateLimit;
  readonly #ofAddress: Places;
  readonly #turns: Turns;

  constructor(deps: AdmissionDeps<Actor>) {
    const { config, counts } = deps;
    this.#deps = deps;
    this.#address = new RateLimit(config.RATE_LIMIT_ADDRESS, "requests from this address", counts);
    this.#key = new RateLimit(config.RATE_LIMIT_KEY, "requests with this key", counts);
    this.#wrongKey = new RateLimit(config.RATE_LIMIT_WRONG_KEY, "wrong keys from this address", counts);
    this.#ofAddress = new Places(config.IN_FLIGHT_ADDRESS, "requests of this address");
    this.#turns = new Turns({ connections: config.DATABASE_POOL, requestsOfFlow: config.IN_FLIGHT_KEY });
  }

  /** Admits a request, or throws its refusal. Its places are free again when its response is closed. */
  async admit(
    client: string,
    credential: Credential | undefined,
    state: RequestState,
    response: ServerResponse,
  ): Promise<Work> {
    const leave = [this.#ofAddress.take(client)];
    try {
      this.#address.take(client);
      const actor = await this.#actorOf(client, credential, state);
      const actorName = this.#deps.keyName(actor);
      Object.assign(state, { actor, actorName, credential, client });
      this.#key.take(actorName);
      const flow = this.#deps.flowOf(actor);
      leave.push(this.#turns.requests.take(flow));
      const work = new Work(this.#turns, flow);
      leave.push(() => work.end());
      state.work = work;
      return work;
    } finally {
      const leaveAll = () => {
        for (const each of leave) each();
      };
      if (response.closed) leaveAll();
      else response.once("close", leaveAll);
    }
  }

  async #actorOf(client: string, credential: Credential | undefined, state: RequestState): Promise<Actor> {
    try {
      if (!credential) throw noKey();
      return await this.#deps.authenticate(credential);
    } catch (error) {
      // An ended sign-in does not count as an attempt to guess a key, since pages that are still open send it.
      if (error instanceof Refusal && credential?.kind !== "signIn") this.#wrongKey.take(client);
      if (error instanceof Refusal && credential?.kind === "key") Object.assign(state, { client, isWrongKey: true });
      throw error;
    }
  }
}

const noKey = () =>
  new Refusal("UNAUTHENTICATED", "The X-API-Key header is missing; send your key in it.", { field: "X-API-Key" });
