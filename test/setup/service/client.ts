/** A client of the interfaces of a service over HTTP, wherever it runs. There is nothing of Jest in it, for what runs without. */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { type ClientKey, clientKey } from "../dns/update-client.ts";

/** The administrator's key of every test service. */
export const adminKey = "test-administrator-key-0123456789";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any form
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

/** A request over REST: `form` goes as curl's -d would send it, `json` as JSON. No key: pass `key: null`. */
export interface RestOptions {
  readonly form?: Record<string, string | number>;
  readonly json?: unknown;
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | FormData | Uint8Array;
}

/** A request to /graphql. No key: pass `key: null`. */
type PostOptions = Pick<RestOptions, "key" | "headers"> & { readonly signal?: AbortSignal };

let schema: string | undefined;

/** The type of the input of a mutation, which some mutations share. */
function inputOf(name: string): string | undefined {
  schema ??= readFileSync("schema.graphql", "utf8");
  return new RegExp(`^  ${name}\\([^]*?\\binput: (\\w+)!`, "m").exec(schema)?.[1];
}

/** The document of a mutation by its name, with what it selects of the payload; its variable `input` is the mutation's one argument. */
export function mutation(name: string, selection: string): string {
  const type = inputOf(name);
  return `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`;
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: Json;
  try {
    body = text === "" ? undefined : JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}

/** What is sent as the body of a request over REST. */
export function bodyOf({ form, json, body }: RestOptions): RestOptions["body"] | URLSearchParams {
  if (json !== undefined) return JSON.stringify(json);
  if (!form) return body;
  return new URLSearchParams(Object.entries(form).map(([name, value]): [string, string] => [name, String(value)]));
}

export class Client {
  url = "";
  /** The port of DNS on 127.0.0.1. */
  dnsPort = 0;
  /** The key of requests that name none. */
  readonly apiKey: string = adminKey;

  /** Speaks REST; `path` comes without `/api`. */
  async rest(method: string, path: string, options: RestOptions = {}): Promise<Answer> {
    const { json, key = this.apiKey, headers = {} } = options;
    const body = bodyOf(options);
    const response = await fetch(`${this.url}/api${path}`, {
      method,
      headers: {
        ...(key !== null && { "X-API-Key": key }),
        ...(json !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: body as string }),
    });
    return answerOf(response);
  }

  /** Posts a body to /graphql: a text as it is, anything else as JSON. */
  post(body: unknown, { key = this.apiKey, headers = {}, signal }: PostOptions = {}): Promise<Response> {
    return fetch(`${this.url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(key !== null && { "X-API-Key": key }), ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
      signal: signal ?? null,
    });
  }

  /** Speaks GraphQL; returns the whole response. Of a document with many operations, `operationName` is the one that runs. */
  async graphql(
    document: string,
    variables: Record<string, unknown> = {},
    key: string | null = this.apiKey,
    operationName?: string,
  ): Promise<Answer> {
    return answerOf(await this.post({ query: document, variables, operationName }, { key }));
  }

  /** Speaks GraphQL and answers the data; throws when there are errors. */
  async data(document: string, variables: Record<string, unknown> = {}, key?: string | null): Promise<Json> {
    const { body } = await this.graphql(document, variables, key);
    if (body.errors) throw new Error(JSON.stringify(body.errors, null, 2));
    return body.data;
  }

  /** The code of the first error that a document is refused with; undefined when it is not. */
  async refusal(document: string, variables: Record<string, unknown> = {}, key?: string | null): Promise<string> {
    return (await this.graphql(document, variables, key)).body.errors?.[0]?.extensions?.code;
  }

  /** Does a mutation; returns what is selected of its payload. Throws when it is refused. */
  async mutate(name: string, input: Json, selection: string, key?: string | null): Promise<Json> {
    return (await this.data(mutation(name, selection), { input }, key))[name];
  }

  async user(email: string): Promise<string> {
    return (await this.mutate("createUser", { email }, "user { id }")).user.id;
  }

  /** Creates a domain with its default records; returns the id. */
  async domain(zone: string, userId: string): Promise<string> {
    return (await this.mutate("createDomain", { zone, userId }, "domain { id }")).domain.id;
  }

  async record(zone: string, owner: string, type: string, rdata: string, ttl?: number): Promise<string> {
    return (await this.mutate("createRecord", { zone, owner, type, rdata, ttl }, "record { id }")).record.id;
  }

  /** Creates a TSIG key, as a client holds it. */
  async tsigKey(input: Json): Promise<ClientKey & { readonly id: string }> {
    const selection = "secret tsigKey { id name algorithm }";
    const { secret, tsigKey } = await this.mutate("createTsigKey", input, selection);
    const algorithm = tsigKey.algorithm.toLowerCase().replace("_", "-");
    return { id: tsigKey.id, ...clientKey(tsigKey.name, secret, algorithm) };
  }

  async key(input: { name: string; userId?: string; readOnly?: boolean; expiresAt?: string }): Promise<string> {
    return (await this.mutate("createApiKey", input, "key")).key;
  }
}

/** Sends the lines of a request's head, then its body, as they are; reads one answer that is not chunked. */
export async function raw(url: string, head: readonly string[], body: string | Uint8Array = ""): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(`${head.join("\r\n")}\r\nConnection: close\r\n\r\n`);
  socket.write(body);
  const answer = await text(socket);
  const [answerHead = "", ...rest] = answer.split("\r\n\r\n");
  const [statusLine = "", ...lines] = answerHead.split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const status = Number(statusLine.split(" ")[1]);
  const content = rest.join("\r\n\r\n");
  return answerOf(new Response(content === "" ? null : content, { status, headers }));
}
