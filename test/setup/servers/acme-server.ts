/**
 * A small certificate authority (RFC 8555) on loopback: accounts, orders, the dns-01 challenge, which it validates by asking a name
 * server for the TXT record over UDP, and certificates, which openssl signs. Limitations: signatures and nonces of requests are not
 * checked, no order has two names, nothing is revoked, and HTTP stands where a real one has HTTPS.
 */
import { execFile, execFileSync } from "node:child_process";
import { createHash, type JsonWebKey, randomBytes } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { temporaryFolder } from "../basics/temporary-folder.ts";

/** How long a challenge is asked for before it is invalid (RFC 8555 §8.2), ms. */
const patience = 60_000;

interface Order {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  /** Of the account's JWK (RFC 7638). */
  readonly thumbprint: string;
  challenge: "pending" | "processing" | "valid" | "invalid";
  certificate: string | undefined;
}

const token = () => randomBytes(16).toString("base64url");
const digest = (data: string) => createHash("sha256").update(data).digest("base64url");
const decoded = (part: string) => (part === "" ? {} : JSON.parse(Buffer.from(part, "base64url").toString()));
const thumbprintOf = ({ kty, crv, e, n, x, y }: JsonWebKey) =>
  digest(JSON.stringify(kty === "RSA" ? { e, kty, n } : { crv, kty, x, y }));
/** The name that a wildcard is proven at. */
const base = (name: string) => name.replace(/^\*\./, "");
/** RFC 3339 without fractions. */
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, "");

export class AcmeServer {
  url = "";
  /** Every validation that was begun, with what a name server answered at its end. */
  readonly validations: { readonly name: string; readonly wanted: string; readonly found: readonly string[] }[] = [];
  readonly #dnsPort: () => number;
  readonly #folder = temporaryFolder();
  /** The file of the authority's own certificate. */
  readonly ca = join(this.#folder, "ca.pem");
  readonly #caKey = join(this.#folder, "ca.key");
  readonly #accounts = new Map<string, JsonWebKey>();
  readonly #orders = new Map<string, Order>();
  #server: Server | undefined;

  /** `dnsPort` is that of the name server that challenges are asked of. */
  constructor(dnsPort: () => number) {
    this.#dnsPort = dnsPort;
  }

  async start(): Promise<void> {
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", this.#caKey];
    const request = ["req", "-x509", "-subj", "/CN=Fake authority", "-days", "2", ...key, "-out", this.ca];
    execFileSync("openssl", request, { stdio: "ignore" });
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("Replay-Nonce", token());
    response.setHeader("Cache-Control", "no-store");
    try {
      const [kind = "", id = ""] = (request.url ?? "").split("/").slice(1);
      if (kind === "nonce") return void response.writeHead(request.method === "HEAD" ? 200 : 204).end();
      if (kind === "directory") return this.#answer(response, 200, this.#directory());
      const jws = JSON.parse(await text(request)) as { protected: string; payload: string };
      await this.#act(kind, id, decoded(jws.protected), decoded(jws.payload), response);
    } catch (error) {
      const type = "urn:ietf:params:acme:error:serverInternal";
      this.#answer(response, 500, { type, detail: String(error), status: 500 });
    }
  }

  #directory() {
    const paths = { newNonce: "nonce", newAccount: "account", newOrder: "new-order", revokeCert: "revoke" };
    const entries = Object.entries({ ...paths, keyChange: "key-change" });
    const meta = { termsOfService: `${this.url}/terms` };
    return { meta, ...Object.fromEntries(entries.map(([name, path]) => [name, `${this.url}/${path}`])) };
  }

  async #act(
    kind: string,
    id: string,
    { kid, jwk }: { kid?: string; jwk?: JsonWebKey },
    { identifiers = [], csr = "" }: { identifiers?: { value: string }[]; csr?: string },
    response: ServerResponse,
  ): Promise<void> {
    const key = jwk ?? this.#accounts.get(kid ?? "") ?? {};
    if (kind === "account") {
      const account = kid ?? `${this.url}/account/${thumbprintOf(key)}`;
      this.#accounts.set(account, key);
      response.setHeader("Location", account);
      return this.#answer(response, id === "" ? 201 : 200, { status: "valid", orders: `${account}/orders` });
    }
    const order = kind === "new-order" ? this.#order(identifiers[0]?.value ?? "", key) : this.#orders.get(id);
    if (!order) throw new Error(`there is no ${kind} ${id}`);
    if (kind === "challenge") {
      if (order.challenge === "pending") void this.#validate(order);
      response.setHeader("Link", `<${this.url}/authorization/${order.id}>;rel="up"`);
      return this.#answer(response, 200, this.#challenge(order));
    }
    if (kind === "authorization") return this.#answer(response, 200, this.#authorization(order));
    if (kind === "certificate") {
      response.setHeader("Content-Type", "application/pem-certificate-chain").end(order.certificate);
      return;
    }
    if (kind === "finalize") order.certificate = await this.#sign(order, Buffer.from(csr, "base64url"));
    response.setHeader("Location", `${this.url}/order/${order.id}`);
    this.#answer(response, kind === "new-order" ? 201 : 200, this.#orderObject(order));
  }

  #order(name: string, jwk: JsonWebKey): Order {
    const made = { id: token(), name, token: token(), thumbprint: thumbprintOf(jwk) };
    const order: Order = { ...made, challenge: "pending", certificate: undefined };
    this.#orders.set(order.id, order);
    return order;
  }

  #orderObject({ id, name, challenge, certificate }: Order) {
    const waiting = challenge === "valid" ? "ready" : challenge === "invalid" ? "invalid" : "pending";
    return {
      status: certificate ? "valid" : waiting,
      expires: inAnHour(),
      identifiers: [{ type: "dns", value: name }],
      authorizations: [`${this.url}/authorization/${id}`],
      finalize: `${this.url}/finalize/${id}`,
      ...(certificate && { certificate: `${this.url}/certificate/${id}` }),
    };
  }

  #authorization(order: Order) {
    const status = order.challenge === "processing" ? "pending" : order.challenge;
    const identifier = { type: "dns", value: base(order.name) };
    const wildcard = order.name.startsWith("*.") && { wildcard: true };
    return { status, expires: inAnHour(), identifier, challenges: [this.#challenge(order)], ...wildcard };
  }

  #challenge({ id, token, challenge: status }: Order) {
    const error = { type: "urn:ietf:params:acme:error:dns", detail: "the TXT record was not found" };
    const url = `${this.url}/challenge/${id}`;
    return { type: "dns-01", url, token, status, ...(status === "invalid" && { error }) };
  }

  /** Asks for the TXT record until it is there or patience ends, as authorities ask again (RFC 8555 §8.2, §8.4). */
  async #validate(order: Order): Promise<void> {
    order.challenge = "processing";
    const name = `_acme-challenge.${base(order.name)}`;
    const wanted = digest(`${order.token}.${order.thumbprint}`);
    const resolver = new Resolver({ timeout: 1000, tries: 1 });
    resolver.setServers([`127.0.0.1:${this.#dnsPort()}`]);
    let found: string[] = [];
    for (const end = performance.now() + patience; !found.includes(wanted) && performance.now() < end; ) {
      const answers = await resolver.resolveTxt(name).catch((): string[][] => []);
      found = answers.map((strings) => strings.join(""));
      if (!found.includes(wanted)) await pause(50);
    }
    this.validations.push({ name, wanted, found });
    order.challenge = found.includes(wanted) ? "valid" : "invalid";
  }

  /** Signs the request for a certificate by openssl; returns the chain. */
  async #sign({ id }: Order, csr: Buffer): Promise<string> {
    const file = join(this.#folder, `${id}.csr`);
    writeFileSync(file, csr);
    const serial = ["-set_serial", `0x${randomBytes(8).toString("hex")}`, "-days", "1", "-copy_extensions", "copy"];
    const authority = ["-CA", this.ca, "-CAkey", this.#caKey, ...serial];
    const { stdout } = await promisify(execFile)("openssl", [
      ...["x509", "-req", "-inform", "DER", "-in", file],
      ...authority,
    ]);
    return stdout + readFileSync(this.ca, "utf8");
  }

  #answer(response: ServerResponse, status: number, body: object): void {
    const type = status >= 400 ? "application/problem+json" : "application/json";
    response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(body));
  }
}
