/**
 * Speaks HTTP to the running service for the commands: ZONESMITH_URL (http://127.0.0.1:4000) and ZONESMITH_API_KEY.
 */
import type { ReadableStream } from "node:stream/web";

/** Where the service is and which key opens it. */
export interface Access {
  readonly url: string;
  readonly key: string;
}

/** What the service refused, with every reason it gave. */
export class Refused extends Error {
  readonly answer: RefusalAnswer;

  constructor(answer: RefusalAnswer) {
    const reasons = answer.reasons?.map((reason) => reason.message) ?? [answer.message];
    super(reasons.join("\n"));
    this.answer = answer;
  }
}

/** The body of a refusal. */
export interface RefusalAnswer {
  readonly code: number;
  readonly error: string;
  readonly message: string;
  readonly reasons?: readonly { readonly code: string; readonly message: string; readonly line?: number }[];
}

/** Reads the access from the environment; throws what to set when the key is missing. */
export function readAccess(environment: NodeJS.ProcessEnv): Access {
  const { ZONESMITH_URL: url = "http://127.0.0.1:4000", ZONESMITH_API_KEY: key } = environment;
  if (!key) throw new Error("ZONESMITH_API_KEY is not set; set it to your API key.");
  if (!URL.canParse(url)) throw new Error("ZONESMITH_URL is not a URL; write one such as http://127.0.0.1:4000.");
  return { url: url.replace(/\/+$/, ""), key };
}

/** Sends a request; throws Refused, or one line that names the cure when the service cannot be reached. */
export async function call(
  { url, key }: Access,
  method: "GET" | "POST",
  path: string,
  body?: { readonly type: string; readonly stream: ReadableStream },
): Promise<Response> {
  const headers = { "X-API-Key": key, ...(body && { "Content-Type": body.type }) };
  const sent = body && { body: body.stream as unknown as RequestInit["body"], duplex: "half" };
  let response: Response;
  try {
    response = await fetch(`${url}/api${path}`, { method, headers, ...sent } as RequestInit);
  } catch (error) {
    const { code = String((error as Error).message) } = ((error as Error).cause ?? {}) as { code?: string };
    throw new Error(`The service at ${url} cannot be reached (${code}); start it, or set ZONESMITH_URL.`);
  }
  if (response.ok) return response;
  const text = await response.text();
  try {
    throw new Refused(JSON.parse(text) as RefusalAnswer);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Error(`${url} answered ${response.status}, which is not this service; check ZONESMITH_URL.`);
  }
}
