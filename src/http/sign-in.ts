/**
 * Signing in: POST /sign-in takes a key, checked and limited like one in X-API-Key, and answers with a cookie that stands for it; DELETE
 * ends the sign-in. The key itself is kept nowhere in the browser.
 */
import type { Request, RequestHandler, Response } from "express";
import { Refusal } from "../errors.ts";
import type { Admission } from "./admission.ts";
import { type Credential, cookieName, credentialOf, expectOwnPage, isSecure } from "./credential.ts";
import type { RequestState } from "./request-state.ts";

export const signInPath = "/sign-in";

/** How sign-ins are kept. */
export interface SignIns<Actor> {
  /** Begins a sign-in of the key by which an actor was admitted. */
  readonly begin: (actor: Actor, client: string) => Promise<{ readonly token: string; readonly endsAt: Date }>;
  readonly end: (token: string, client: string) => Promise<void>;
  /** The body of a refusal. */
  readonly render: (refusal: Refusal) => unknown;
}

/** Makes the handler of /sign-in; the body is read already. */
export function createSignIn<Actor>(
  admission: Admission<Actor>,
  signIns: SignIns<Actor>,
  trustedProxies: number,
): RequestHandler {
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
    if (request.method === "DELETE") {
      const credential = credentialOf(request, trustedProxies);
      if (credential?.kind === "signIn") await signIns.end(credential.secret, client);
      setCookie(request, response, "", 0, trustedProxies);
      return void response.status(204).end();
    }
    response.set("Allow", "POST, DELETE");
    throw new Refusal("METHOD_NOT_ALLOWED", `${signInPath} takes POST and DELETE.`);
  };
}

function keyOf(request: Request): Credential {
  const { key } = (request.body ?? {}) as { key?: unknown };
  if (typeof key === "string" && key !== "") return { kind: "key", secret: key };
  throw new Refusal("MISSING_FIELD", "key is missing; send an API key.", { field: "key" });
}

/** Sets the cookie of a sign-in, or removes it: out of the reach of scripts, sent to this host alone and by its own pages. */
function setCookie(request: Request, response: Response, token: string, seconds: number, trustedProxies: number): void {
  const secure = isSecure(request, trustedProxies) ? "; Secure" : "";
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
  response.set("Set-Cookie", `${cookieName(request, trustedProxies)}=${token}; ${attributes}`);
}
