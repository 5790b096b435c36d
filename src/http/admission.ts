/**
 * Who makes a request, and whether it may: the key, and the limits on requests of its address and its key in a minute, and of its address and its user in
 * progress; wrong keys have a lower one. Both ways of a request have the same counts.
 */
import type { ServerResponse } from "node:http";
import type { Config } from "../config.ts";
import { Refusal } from "../errors.ts";
import { Places } from "../turns/places.ts";
import { Turns, Work } from "../turns/work.ts";
import type { Credential } from "./credential.ts";
import { RateLimit } from "./rate-limit.ts";
import type { RequestState } from "./request-state.ts";

export interface AdmissionDeps<Actor> {
  readonly config: Config;
  /** Throws UNAUTHENTICATED. */
  readonly authenticate: (credential: Credential) => Promise<Actor>;
  /** The actor of what was accepted lately, at once or when it is looked up again; undefined for anything else. */
  readonly recalledActor: (credential: Credential) => Actor | Promise<Actor> | undefined;
  readonly keyName: (actor: Actor) => string;
  /** Whom requests in progress and turns are counted for: all keys of a user are one. */
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
    const { config } = deps;
    this.#deps = deps;
    this.#address = new RateLimit(config.RATE_LIMIT_ADDRESS, "requests from this address");
    this.#key = new RateLimit(config.RATE_LIMIT_KEY, "requests with this key");
    this.#wrongKey = new RateLimit(config.RATE_LIMIT_WRONG_KEY, "wrong keys from this address");
    this.#ofAddress = new Places(config.IN_FLIGHT_ADDRESS, "requests of this address");
    this.#turns = new Turns({ connections: config.DATABASE_POOL, requestsOfFlow: config.IN_FLIGHT_KEY });
  }

  /** Admits a request, or throws its refusal. The places that it has are free again when its response is closed. */
  async admit(
    client: string,
    credential: Credential | undefined,
    state: RequestState,
    response: ServerResponse,
  ): Promise<Work> {
    whenClosed(response, this.#ofAddress.take(client));
    this.#address.take(client);
    let actor: Actor;
    try {
      if (!credential) throw noKey();
      actor = await this.#deps.authenticate(credential);
    } catch (error) {
      // A sign-in that has ended is no guess: pages that are still open ask with it.
      if (error instanceof Refusal && credential?.kind !== "signIn") this.#wrongKey.take(client);
      if (error instanceof Refusal && credential?.kind === "key") Object.assign(state, { client, isWrongKey: true });
      throw error;
    }
    const actorName = this.#deps.keyName(actor);
    Object.assign(state, { actor, actorName, credential, client });
    this.#key.take(actorName);
    const flow = this.#deps.flowOf(actor);
    whenClosed(response, this.#turns.requests.take(flow));
    const work = new Work(this.#turns, flow);
    state.work = work;
    whenClosed(response, () => work.end());
    return work;
  }

  /** The actor of what was accepted lately. */
  recalledActor(credential: Credential): Actor | Promise<Actor> | undefined {
    return this.#deps.recalledActor(credential);
  }

  /** Admits a request of an actor at once if it is within the limits; otherwise undefined, and nothing is counted. */
  tryAdmit(
    client: string,
    { actor, credential }: { readonly actor: Actor; readonly credential: Credential },
    state: () => RequestState,
    response: ServerResponse,
  ): Work | undefined {
    const actorName = this.#deps.keyName(actor);
    const flow = this.#deps.flowOf(actor);
    if (!this.#ofAddress.hasRoom(client) || !this.#turns.requests.hasRoom(flow)) return undefined;
    if (!this.#address.hasRoom(client) || !this.#key.hasRoom(actorName)) return undefined;
    this.#address.take(client);
    this.#key.take(actorName);
    const leave = [this.#ofAddress.take(client), this.#turns.requests.take(flow)];
    const work = new Work(this.#turns, flow);
    Object.assign(state(), { actor, actorName, credential, client, work });
    response.once("close", () => {
      for (const each of leave) each();
      work.end();
    });
    return work;
  }
}

const noKey = () =>
  new Refusal("UNAUTHENTICATED", "The X-API-Key header is missing; send your key in it.", { field: "X-API-Key" });

/** Calls `leave` when the response is closed, which it may be already. */
function whenClosed(response: ServerResponse, leave: () => void): void {
  if (response.closed) leave();
  else response.once("close", leave);
}
