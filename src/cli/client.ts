/**
 * Speaks HTTP to the running service for the commands: ZONESMITH_URL (http://127.0.0.1:4000) and ZONESMITH_API_KEY.
 */
import type { ReadableStream } from "node:stream/web";

/** Where the service is and which key opens it. */
export interface Endpoint {
  readonly url: string;
  readonly key: string;
}

/** What the service refused, with every reason it gave. */
export class RefusedError extends Error {
  readonly answer: RefusalBody;

  constructor(answer: RefusalBody) {
    const reasons = answer.reasons?.map((reason) => reason.message) ?? [answer.message];
    super(reasons.join("\n"));
    this.answer = answer;
  }
}

/** The body of a refusal. */
export interface RefusalBody {
  readonly code: number;
  readonly error: string;
  readonly message: string;
  readonly reasons?: readonly { readonly code: string; readonly message: string; readonly line?: number }[];
}

/** Reads the access from the environment; throws what to set when the key is missing. */
export function readEndpoint(environment: NodeJS.ProcessEnv): Endpoint {
  const { ZONESMITH_URL: url = "http://127.0.0.1:4000", ZONESMITH_API_KEY: key } = environment;
  if (!key) throw new Error("ZONESMITH_API_KEY is not set; set it to your API key.");
  if (!URL.canParse(url)) throw new Error("ZONESMITH_URL is not a URL; write one such as http://127.0.0.1:4000.");
  return { url: url.replace(/\/+$/, ""), key };
}

/** Sends a request; throws Refused, or one line that names the cure when the service cannot be reached. */
export async function callRest(
  access: Endpoint,
  method: "GET" | "POST",
  path: string,
  body?: { readonly type: string; readonly stream: ReadableStream },
): Promise<Response> {
  const sent = body && { body: body.stream as unknown as RequestInit["body"], duplex: "half" };
  const headers: Record<string, string> = body ? { "Content-Type": body.type } : {};
  const response = await send(access, `/api${path}`, { method, headers, ...sent } as RequestInit);
  const { url } = access;
  if (response.ok) return response;
  const text = await response.text();
  try {
    throw new RefusedError(JSON.parse(text) as RefusalBody);
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new Error(`${url} answered ${response.status}, which is not this service; check ZONESMITH_URL.`);
  }
}

/** Runs a GraphQL operation and answers its data; throws Refused. */
export async function callGraphql<Data>(
  access: Endpoint,
  query: string,
  variables: Record<string, unknown>,
): Promise<Data> {
  const headers = { "Content-Type": "application/json" };
  const response = await send(access, "/graphql", {
    method: "POST",
    headers,
    body: JSON.stringify({ query, variables }),
  });
  let answer: { data?: Data; errors?: readonly GraphqlError[] };
  try {
    answer = JSON.parse(await response.text());
  } catch {
    throw new Error(`${access.url} answered ${response.status}, which is not this service; check ZONESMITH_URL.`);
  }
  const { data, errors } = answer;
  const [error] = errors ?? [];
  if (data && !error) return data;
  const { message = "The service answered nothing; try again.", extensions } = error ?? {};
  const reasons = extensions?.details?.reasons;
  throw new RefusedError({
    code: response.status,
    error: extensions?.code ?? "",
    message,
    ...(reasons && { reasons }),
  });
}

/** An error as GraphQL shows it. */
interface GraphqlError {
  readonly message: string;
  readonly extensions?: { readonly code: string; readonly details?: Pick<RefusalBody, "reasons"> };
}

async function send({ url, key }: Endpoint, path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(`${url}${path}`, {
      ...request,
      headers: { ...(request.headers as Record<string, string>), "X-API-Key": key },
    });
  } catch (error) {
    const { code = String((error as Error).message) } = ((error as Error).cause ?? {}) as { code?: string };
    throw new Error(`The service at ${url} cannot be reached (${code}); start it, or set ZONESMITH_URL.`);
  }
}
