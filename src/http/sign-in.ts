/**
 * Sign-ins: POST /sign-in takes a key, checked and limited like one in X-API-Key, and answers with a cookie in its
 * place. GET returns when the sign-in ends, DELETE ends it. The browser does not store the key.
 */
import type { Request, RequestHandler, Response } from "express";
import { Refusal } from "../errors.ts";
import type { Admission } from "./admission.ts";
import { type Credential, cookieName, credentialOf, expectOwnPage, isSecure } from "./credential.ts";
import type { RequestState } from "./request-state.ts";

export const signInPath = "/sign-in";

export interface SignIns<Actor> {
  readonly begin: (actor: Actor, client: string) => Promise<{ readonly token: string; readonly endsAt: Date }>;
  readonly end: (token: string, client: string) => Promise<void>;
  /** Returns the time at which the actor's sign-in ends; undefined for an actor without a sign-in. */
  readonly endOf: (actor: Actor) => Date | undefined;
  readonly render: (refusal: Refusal) => unknown;
}

export function createSignIn<Actor>(
  admission: Admission<Actor>,
  signIns: SignIns<Actor>,
  trustedProxies: number,
): RequestHandler {
  /** Returns when a sign-in ends; undefined after its end or the revocation of its key. */
  const endOf = async (credential: Credential, request: Request, response: Response): Promise<Date | undefined> => {
    try {
      await admission.admit(request.ip ?? "unknown", credential, response.locals as RequestState, response);
      return signIns.endOf(response.locals.actor as Actor);
    } catch (error) {
      if (error instanceof Refusal && error.code === "UNAUTHENTICATED") return undefined;
      throw error;
    }
  };
  return async (request, response) => {
    expectOwnPage(request, trustedProxies);
    const client = request.ip ?? "unknown";
    if (request.method === "POST") {
      await admission.admit(client, keyOf(request), response.locals as RequestState, response);
      const { token, endsAt } = await signIns.begin(response.locals.actor as Actor, client);
      const seconds = Math.floor((endsAt.getTime() - Date.now()) / 1000);
      setCookie(request, response, token, seconds, trustedProxies);
      return void response.status(201).json({ signedInUntil: endsAt.toISOString() });
    }
    if (request.method === "GET" || request.method === "HEAD") {
      const credential = credentialOf(request, trustedProxies);
      const ends = credential?.kind === "signIn" ? await endOf(credential, request, response) : undefined;
      return void response.json({ signedInUntil: ends?.toISOString() ?? null });
    }
    if (request.method === "DELETE") {
      const credential = credentialOf(request, trustedProxies);
      if (credential?.kind === "signIn") await signIns.end(credential.secret, client);
      setCookie(request, response, "", 0, trustedProxies);
      return void response.status(204).end();
    }
    response.set("Allow", "GET, HEAD, POST, DELETE");
    throw new Refusal("METHOD_NOT_ALLOWED", `${signInPath} takes GET, POST and DELETE.`);
  };
}

function keyOf(request: Request): Credential {
  const { key } = (request.body ?? {}) as { key?: unknown };
  if (typeof key === "string" && key !== "") return { kind: "key", secret: key };
  throw new Refusal("MISSING_FIELD", "key is missing; send an API key.", { field: "key" });
}

/** Sets or removes the cookie: scripts cannot read it, and only pages of this host send it. */
function setCookie(request: Request, response: Response, token: string, seconds: number, trustedProxies: number): void {
  const secure = isSecure(request, trustedProxies) ? "; Secure" : "";
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
  response.set("Set-Cookie", `${cookieName(request, trustedProxies)}=${token}; ${attributes}`);
}
