/** The HTTP client of the commands: REST and GraphQL of the running service. */
import { text } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import { type Code, codes } from "../../error-codes.ts";
import type { Operations } from "../generated/operations.d.ts";
import type { Row } from "../terminal/print.ts";

/** The URL of the service without a trailing slash, the API key, and where the URL comes from (installation.ts). */
export interface Endpoint {
  readonly url: string;
  readonly key: string;
  readonly from: string;
}

/** A refusal by the service; the message has one line for each reason. */
export class RefusedError extends Error {
  readonly body: RefusalBody;

  /** `advice` has sentences about options against the refusal. */
  constructor(body: RefusalBody, advice: readonly string[] = []) {
    const reasons = body.reasons?.map((reason) => reason.message) ?? [body.message];
    super([...reasons, ...advice].join("\n"));
    this.body = body;
  }
}

/** The body of a refusal: the HTTP status, the code of error-codes.ts and its reasons. */
export interface RefusalBody {
  readonly code: number;
  readonly status: "error";
  readonly error: string;
  readonly message: string;
  readonly field?: string;
  readonly reasons?: readonly ReasonBody[];
}

/** A reason of a refusal; `line` is that of a master file, from 1. */
export interface ReasonBody {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly line?: number;
  readonly owner?: string;
  readonly type?: string;
}

interface SentBody {
  readonly type: string;
  readonly stream: ReadableStream;
  readonly accept?: string;
  readonly note?: string | undefined;
}

function headersOf({ type, accept = "*/*", note }: SentBody): Record<string, string> {
  const headers = { "Content-Type": type, Accept: accept };
  // fetch takes a character for each octet.
  return note === undefined ? headers : { ...headers, "X-Change-Note": Buffer.from(note).toString("latin1") };
}

/** Calls a REST path and returns a successful response; throws RefusedError, or a sentence when the service cannot be reached. */
export async function callRest(
  endpoint: Endpoint,
  method: "GET" | "POST",
  path: string,
  body?: SentBody,
): Promise<Response> {
  const headers = body ? headersOf(body) : {};
  const streamed = body && { body: body.stream as unknown as RequestInit["body"], duplex: "half" };
  const response = await send(endpoint, `/api${path}`, { method, headers, ...streamed } as RequestInit);
  if (response.ok) return response;
  throw new RefusedError(await readJson(endpoint, response));
}

/**
 * The types of the data and of the variables of a document. The build generates them for exported documents; for any other text they are
 * `Row`.
 */
export type DataOf<Text extends string> = Text extends keyof Operations ? Operations[Text]["data"] : Row;
export type VariablesOf<Text extends string> = Text extends keyof Operations ? Operations[Text]["variables"] : Row;

/** Runs a GraphQL operation and returns its data; throws as `callRest` does. */
export async function callGraphql<Text extends string>(
  endpoint: Endpoint,
  query: Text,
  variables: VariablesOf<Text>,
): Promise<DataOf<Text>> {
  const response = await postJson(endpoint, "/graphql", JSON.stringify({ query, variables }));
  const { data, errors } = await readJson<GraphqlResult<DataOf<Text>>>(endpoint, response);
  const [error] = errors ?? [];
  if (data && !error) return data;
  const { message = "The service sent no data; try again.", extensions } = error ?? {};
  const { field, details } = extensions ?? {};
  const reasons = details?.reasons?.map((reason, _at, all) =>
    all.length === 1 ? { ...reason, message } : { ...reason, message: withField(reason) },
  );
  const code = extensions?.code ?? "";
  throw new RefusedError({
    // The response of GraphQL is 200 for a refused field too.
    code: Object.hasOwn(codes, code) ? codes[code as Code].status : response.status,
    status: "error",
    error: code,
    message,
    ...(field !== undefined && { field }),
    ...(reasons && { reasons }),
  });
}

const withField = ({ field, message }: ReasonBody) => (field === undefined ? message : `${field}: ${message}`);

interface GraphqlResult<Data> {
  readonly data?: Data;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: {
      readonly code: string;
      readonly field?: string;
      readonly details?: Pick<RefusalBody, "reasons">;
    };
  }[];
}

async function send({ url, key, from }: Endpoint, path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(`${url}${path}`, {
      ...request,
      headers: { ...(request.headers as Record<string, string>), "X-API-Key": key },
    });
  } catch (error) {
    throw unreachable(url, from, (error as Error).cause ?? error);
  }
}

type Answer = Pick<Response, "status" | "text">;

/** Sends JSON with node:http rather than fetch: loading fetch would double the time that a command takes. */
async function postJson({ url, key, from }: Endpoint, path: string, body: string): Promise<Answer> {
  const { request } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body), "X-API-Key": key };
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const sent = request(`${url}${path}`, { method: "POST", headers, agent: false }, (response) =>
        resolve({ status: response.statusCode ?? 0, text: () => text(response) }),
      );
      sent.on("error", reject).end(body);
    });
  } catch (error) {
    throw unreachable(url, from, error);
  }
}

function unreachable(url: string, from: string, error: unknown): Error {
  const { code = String((error as Error).message) } = error as { code?: string };
  const advice =
    protocolAdvice(url, code) ?? certificateAdvice(code) ?? "start it, or set ZONESMITH_URL to where it is";
  return new Error(`The service at ${url} (from ${from}) cannot be reached (${code}); ${advice}.`);
}

/**
 * The advice for an error that shows that the URL has HTTP where the service speaks HTTPS, or the reverse; undefined for any other error.
 */
function protocolAdvice(url: string, code: string): string | undefined {
  const { protocol, host } = new URL(url);
  if (protocol === "http:" && /^(ECONNRESET|UND_ERR_SOCKET|HPE_INVALID_CONSTANT|EPIPE)$/.test(code))
    return `if it serves HTTPS (TLS_CERT), try https: set ZONESMITH_URL to https://${host}`;
  if (protocol === "https:" && /^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/.test(code))
    return `if it serves no HTTPS, try http: set ZONESMITH_URL to http://${host}`;
  return undefined;
}

/** What to do about a certificate that Node does not accept; undefined for any other error. */
function certificateAdvice(code: string): string | undefined {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "set ZONESMITH_URL to a name that its certificate is for";
  if (code === "CERT_HAS_EXPIRED") return "its certificate has ended and is to be renewed";
  if (!/CERT|LEAF_SIGNATURE/.test(code)) return undefined;
  return "if that is it, set NODE_EXTRA_CA_CERTS to the file of the authority of its certificate";
}

async function readJson<Body>({ url }: Endpoint, response: Answer): Promise<Body> {
  try {
    return JSON.parse(await response.text()) as Body;
  } catch {
    throw new Error(`${url} answered ${response.status} without JSON; check that ZONESMITH_URL is this service.`);
  }
}

/** A page of a list: its rows, and the data around them. */
export interface ListPage<Data, Node> {
  readonly data: Data;
  readonly nodes: Node[];
}

export interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The selection that every list ends with, for reading its pages. */
export const pageInfo = "pageInfo { hasNextPage endCursor }";

/** The pages of a list, by an operation with a variable `after`; `listIn` returns the list in the data. */
export async function* pagesOf<Text extends string, Node>(
  endpoint: Endpoint,
  document: Text,
  listIn: (data: DataOf<Text>) => Connection<Node>,
  variables: Omit<VariablesOf<Text>, "after">,
): AsyncGenerator<ListPage<DataOf<Text>, Node>> {
  for (let after: string | null = null; ; ) {
    const data: DataOf<Text> = await callGraphql(endpoint, document, { ...variables, after } as VariablesOf<Text>);
    const { nodes, pageInfo } = listIn(data);
    yield { data, nodes: nodes as Node[] };
    if (!pageInfo.hasNextPage) return;
    after = pageInfo.endCursor;
  }
}

export async function allOf<Node>(pages: AsyncIterable<{ readonly nodes: readonly Node[] }>): Promise<Node[]> {
  const all: Node[] = [];
  for await (const { nodes } of pages) all.push(...nodes);
  return all;
}
