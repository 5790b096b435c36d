/**
 * The service as an operator starts it, on a database that is there already, with clients of its REST and GraphQL
 * interfaces. It imports no module of the service, and nothing of Jest, so that make-dump.ts runs it too.
 */
import { freePort } from "../../setup/basics/free-port.ts";
import { type ServiceProcess, zonesmith } from "../../setup/process/process.ts";
import type { Answer } from "../../setup/service/service.ts";

/** A request over REST; `path` comes without `/api`, `key` is null for none. */
export interface RestRequest {
  readonly key: string | null;
  readonly method?: string;
  readonly path: string;
  readonly form?: Record<string, string | number>;
  /** A master file. */
  readonly file?: string;
}

/** A service that runs. */
export class RunningService {
  readonly url: string;
  readonly dnsPort: number;
  readonly #process: ServiceProcess;

  private constructor(url: string, dnsPort: number, process: ServiceProcess) {
    this.url = url;
    this.dnsPort = dnsPort;
    this.#process = process;
  }

  /** Starts a service and waits until it has migrated the database and is ready; throws what it printed when it ends before. */
  static async start(databaseUrl: string, settings: Readonly<Record<string, string>>): Promise<RunningService> {
    const [http, dns] = [await freePort(), await freePort()];
    const ports = { HTTP_PORT: String(http), DNS_PORT: String(dns), LOG_LEVEL: "error" };
    const process = zonesmith(["serve"], { DATABASE_URL: databaseUrl, ...ports, ...settings });
    const service = new RunningService(`http://127.0.0.1:${http}`, dns, process);
    await process.answersAt();
    return service;
  }

  async stop(): Promise<void> {
    this.#process.child.kill("SIGTERM");
    await this.#process.ended();
  }

  /** Sends a request over REST. */
  async rest({ key, method = "GET", path, form, file }: RestRequest): Promise<Answer> {
    const entries = Object.entries(form ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
    return answerOf(
      await fetch(`${this.url}/api${path}`, {
        method,
        headers: {
          ...(key !== null && { "X-API-Key": key }),
          ...(file !== undefined && { "Content-Type": "text/dns" }),
        },
        ...(file !== undefined ? { body: file } : form && { body: new URLSearchParams(entries) }),
      }),
    );
  }

  /** Runs a GraphQL operation; of a document with many, the one of this name. */
  async graphql(
    key: string | null,
    document: string,
    variables: Record<string, unknown> = {},
    operationName?: string,
  ): Promise<Answer> {
    return answerOf(
      await fetch(`${this.url}/graphql`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...(key !== null && { "X-API-Key": key }) },
        body: JSON.stringify({ query: document, variables, operationName }),
      }),
    );
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /^application\/[\w+-]*json\b/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
