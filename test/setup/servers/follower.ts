/**
 * A real name server that follows a service: registered there with a key of its own, started from the stanza that the service
 * printed.
 */
import { run } from "../process/command.ts";
import { type Client, type Json, mutation } from "../service/client.ts";
import type { Server } from "./name-servers.ts";
import { ServerProcess } from "./server-process.ts";

/** A key as dig's -y takes it. */
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

type Reached = Pick<Client, "data" | "dnsPort" | "url">;

export class Follower extends ServerProcess {
  secondaryId = "";
  key: Key = { id: "", name: "", secret: "" };
  readonly service: Reached;

  constructor(service: Reached, server: Server) {
    super(server);
    this.service = service;
  }

  /** Registers the server with a key of its own, of this name if it matters, and starts it. */
  async follow(keyName?: string): Promise<void> {
    const { server } = this;
    const port = await this.choosePort();
    const tsigKeyId = await this.#createKey(keyName ?? `k${port}.example.com`);
    const place = { name: server.name, address: "127.0.0.1", port, tsigKeyId, ...server.registered };
    this.secondaryId = (await this.#mutate("createSecondary", "secondary { id }", place)).secondary.id;
    await server.prepare?.(this.folder);
    await this.startWith(await this.stanza());
  }

  /** Gives it another key, and starts it again with what is printed then. The key before is revoked. */
  async changeKey(): Promise<void> {
    const { id } = this.key;
    const tsigKeyId = await this.#createKey(`next-${this.key.name}`);
    await this.#mutate("updateSecondary", "secondary { id }", { by: { id: this.secondaryId }, tsigKeyId });
    await this.#mutate("revokeTsigKey", "tsigKey { id }", { tsigKeyId: id });
    await this.stop();
    await this.startWith(await this.stanza());
  }

  async #createKey(name: string): Promise<string> {
    const { tsigKey, secret } = await this.#mutate("createTsigKey", "tsigKey { id name } secret", { name });
    this.key = { ...tsigKey, secret };
    return tsigKey.id;
  }

  async #mutate(name: string, selection: string, input: object): Promise<Json> {
    return (await this.service.data(mutation(name, selection), { input }))[name];
  }

  /** What the service prints for it now. */
  async stanza(): Promise<string> {
    const document = `query ($id: ID!) { secondaryConfig(by: { id: $id }, server: ${this.server.stanza}) }`;
    return (await this.service.data(document, { id: this.secondaryId })).secondaryConfig;
  }

  async startWith(stanza: string): Promise<void> {
    this.configure(stanza);
    await this.server.run?.(this.folder, stanza);
    await this.start();
  }

  /** Starts it with this secret in place of its key's. */
  async startWithSecret(secret: string): Promise<void> {
    await this.startWith((await this.stanza()).replaceAll(this.key.secret, secret));
  }

  /** Lets a server that follows no catalog know which zones there are, as its operator does. */
  async learn(): Promise<void> {
    if (!this.server.reload) return;
    this.configure(await this.stanza());
    await this.server.reload(this.folder);
  }

  /** What the service noted about it. */
  async noted(fields: string): Promise<Json> {
    const document = `query ($id: ID!) { secondary(by: { id: $id }) { ${fields} } }`;
    return (await this.service.data(document, { id: this.secondaryId })).secondary;
  }
}

/** A zone as dig transfers it from a port of 127.0.0.1, data in the form of RFC 3597, or what it printed instead. */
export async function transfer(port: number, zone: string, key?: Key): Promise<string> {
  const signed = key ? ["-y", `hmac-sha256:${key.name}:${key.secret}`] : [];
  const words = ["@127.0.0.1", "-p", `${port}`, ...signed, "+noall", "+answer", "+onesoa", "+unknownformat"];
  return run("dig", [...words, zone, "AXFR"]);
}
