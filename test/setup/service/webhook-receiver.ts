/**
 * A receiver of webhooks, which verifies every message by the library of the Standard Webhooks specification, and answers as a test says.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { type Client, type Json, mutation } from "./client.ts";
import type { TestService } from "./service.ts";

/** The environment in which a service reaches receivers of tests. */
export const receiversAllowed = { WEBHOOK_PRIVATE_ADDRESSES: "127.0.0.0/8" };

/** A message that came, whatever was answered. */
export interface Received {
  readonly path: string;
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Json;
  readonly headers: IncomingMessage["headers"];
  /** The status that it was answered with. */
  readonly status: number;
}

export class WebhookReceiver {
  /** All that came with a signature that is right, in the order of its coming. */
  readonly received: Received[] = [];
  /** What came with a signature that is not right. */
  readonly wrong: unknown[] = [];
  /** The status of the answer to a message, or "hang" for none. */
  answer: (message: Omit<Received, "status">) => number | "hang" = () => 204;
  readonly secrets = new Map<string, string>();
  /** The paths of the requests that wait for an answer, which never comes. */
  readonly #waiting: string[] = [];
  /** The same at the moments at which one came. */
  readonly #waited: (readonly string[])[] = [];
  readonly #server = createServer(async (request, response) => {
    const status = this.#take(request, Buffer.concat(await request.toArray()).toString());
    if (status !== "hang") response.writeHead(status, { Location: "/elsewhere" }).end("thank you");
    else this.#hold(request.url as string, response);
  });

  static async start(port = 0): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await receiver.listen(port);
    return receiver;
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(port, "127.0.0.1", resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** The messages that were accepted at a path, in their order. */
  at(path: string): Received[] {
    return this.received.filter((each) => each.path === path && each.status < 300);
  }

  /** Creates a webhook that sends to a path; returns its id. */
  async subscribe(
    service: Pick<Client, "data">,
    path: string,
    input: { readonly events: readonly string[]; readonly userId?: string; readonly zones?: readonly string[] },
    key?: string,
  ): Promise<string> {
    const document = mutation("createWebhook", "secret webhook { id }");
    const variables = { input: { name: path, url: this.url(path), ...input } };
    const { secret, webhook } = (await service.data(document, variables, key)).createWebhook;
    this.secrets.set(path, secret);
    return webhook.id;
  }

  /** How many requests at paths that begin so have waited for an answer at the same time, at most. */
  mostWaiting(path: string): number {
    return Math.max(0, ...this.#waited.map((paths) => paths.filter((each) => each.startsWith(path)).length));
  }

  /** Ends the requests that wait for an answer. */
  hangUp(): void {
    this.#server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.hangUp();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #hold(path: string, response: ServerResponse): void {
    this.#waiting.push(path);
    this.#waited.push([...this.#waiting]);
    response.on("close", () => this.#waiting.splice(this.#waiting.indexOf(path), 1));
  }

  #take({ url: path = "", headers }: IncomingMessage, body: string): number | "hang" {
    try {
      const secret = this.secrets.get(path);
      const { type, timestamp, data } = (
        secret === undefined ? JSON.parse(body) : new Webhook(secret).verify(body, headers as Record<string, string>)
      ) as Json;
      const message = { path, id: String(headers["webhook-id"]), type, timestamp, data, headers };
      const status = this.answer(message);
      this.received.push({ ...message, status: status === "hang" ? 504 : status });
      return status;
    } catch (error) {
      this.wrong.push({ path, body, headers, error: String(error) });
      return 400;
    }
  }
}

/** A receiver for the whole test file, or for a describe block. */
export function testReceiver(): WebhookReceiver {
  const receiver = new WebhookReceiver();
  beforeAll(() => receiver.listen());
  afterAll(() => receiver.stop());
  return receiver;
}

/** Creates a webhook of this name and URL, with deliveries of every state; returns its id. */
export async function addWebhook(service: TestService, name: string, url: string): Promise<string> {
  const events = ["DOMAIN_CREATED", "DOMAIN_DELETED", "DOMAIN_RESTORED", "DOMAIN_TRANSFERRED", "UPDATE_REFUSED"];
  const { id } = (await service.mutate("createWebhook", { name, url, events }, "webhook { id }")).webhook;
  await service.sql(
    `insert into webhook_delivery (webhook_id, message_id, event, zone, payload, created_at, retry_until, attempts, attempted_at,
      last_status, last_error, delivered_at, dead_at)
    select $1, 'msg_' || substr(md5(n::text), 1, 24), event, zone,
      json_build_object('type', event, 'timestamp', now(), 'data', json_build_object('zone', zone, 'userId', '1000000000000016'))::text,
      now() - n * interval '7 minutes', now() + interval '1 day', attempts, now(), status, error,
      case when state = 'delivered' then now() - n * interval '7 minutes' end, case when state = 'dead' then now() end
    from (values
      (5, 'domain.created', 'shop.example.com', 'delivered', 1, 204, null),
      (4, 'domain.deleted', 'old.example.com', 'dead', 17, 503, 'The receiver answered 503.'),
      (3, 'update.refused', 'example.com', 'delivered', 2, 200, null),
      (2, 'domain.transferred', 'customer-of-long-standing.example.org', 'dead', 17, null, 'Its certificate has expired.'),
      (1, 'domain.created', 'new.example.com', 'waiting', 3, null, 'There was no answer within 15 seconds.')
    ) as rows (n, event, zone, state, attempts, status, error) order by n desc`,
    [id],
  );
  return id;
}
