/**
 * A small certificate authority (RFC 8555) on loopback: accounts, orders, the dns-01 challenge, which it validates by asking a name
 * server for the TXT record over UDP, and certificates, which openssl signs. Signatures and nonces of requests are checked; there is
 * no external account binding, no revocation, no key rollover and no deactivation, and HTTP stands where a real one has HTTPS.
 */
import { execFile, execFileSync } from "node:child_process";
import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

/** How long a challenge is asked for before it is invalid (RFC 8555 §8.2). */
const patience = 60_000;

interface Order {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  /** The members of the account's JWK that its thumbprint is made of (RFC 7638). */
  readonly thumbprint: string;
  challenge: "pending" | "processing" | "valid" | "invalid";
  certificate: string | undefined;
}

/** What a name server answered when a challenge was validated. */
export interface Validation {
  readonly name: string;
  readonly wanted: string;
  readonly found: readonly string[];
}

interface Request {
  readonly payload: { identifiers?: { value: string }[]; csr?: string };
  readonly jwk: JsonWebKey;
  readonly account: string;
}

class Problem extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, detail: string) {
    super(detail);
    this.status = status;
    this.type = type;
  }
}

const base64url = (data: string) => Buffer.from(data, "base64url");
const token = () => randomBytes(16).toString("base64url");
const digest = (data: string) => createHash("sha256").update(data).digest("base64url");

function thumbprintOf({ kty, crv, e, n, x, y }: JsonWebKey): string {
  return digest(JSON.stringify(kty === "RSA" ? { e, kty, n } : { crv, kty, x, y }));
}

export class AcmeServer {
  url = "";
  /** Every validation that was begun and how it ended. */
  readonly validations: Validation[] = [];
  /** The name server that challenges are asked of. */
  private readonly dnsPort: () => number;
  private readonly folder = mkdtempSync(join(tmpdir(), "zonesmith-acme-"));
  private readonly nonces = new Set<string>();
  private readonly accounts = new Map<string, JsonWebKey>();
  private readonly orders = new Map<string, Order>();
  private server: Server | undefined;

  constructor(dnsPort: () => number) {
    this.dnsPort = dnsPort;
  }

  async start(): Promise<void> {
    const subject = [
      "-subj",
      "/CN=Fake authority",
      "-days",
      "2",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
    ];
    execFileSync("openssl", ["req", "-x509", "-nodes", ...subject, "-keyout", this.file("ca.key"), "-out", this.ca], {
      stdio: "ignore",
    });
    this.server = createServer((request, response) => void this.serve(request, response));
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The file of the authority's own certificate. */
  get ca(): string {
    return this.file("ca.pem");
  }

  private file(name: string): string {
    return join(this.folder, name);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = token();
    this.nonces.add(nonce);
    response.setHeader("Replay-Nonce", nonce);
    response.setHeader("Cache-Control", "no-store");
    try {
      const [kind = "", id = ""] = (request.url ?? "").split("/").slice(1);
      if (kind === "directory") return this.answer(response, 200, this.directory());
      if (kind === "nonce") return void response.writeHead(request.method === "HEAD" ? 200 : 204).end();
      const asked = this.read(await text(request), request.url ?? "");
      await this.act(kind, id, asked, response);
    } catch (error) {
      const { status = 500, type = "serverInternal", message } = error as Problem;
      this.answer(response, status, { type: `urn:ietf:params:acme:error:${type}`, detail: message, status });
    }
  }

  private directory() {
    const at = (path: string) => `${this.url}/${path}`;
    return {
      newNonce: at("nonce"),
      newAccount: at("account"),
      newOrder: at("new-order"),
      revokeCert: at("revoke"),
      keyChange: at("key-change"),
      meta: { termsOfService: at("terms") },
    };
  }

  /** Reads a flattened JWS and checks its nonce, URL and signature (RFC 8555 §6). */
  private read(body: string, path: string): Request {
    const jws = JSON.parse(body) as { protected: string; payload: string; signature: string };
    const header = JSON.parse(base64url(jws.protected).toString()) as {
      nonce: string;
      url: string;
      jwk?: JsonWebKey;
      kid?: string;
    };
    if (!this.nonces.delete(header.nonce)) throw new Problem(400, "badNonce", "this nonce was used or never given");
    const jwk = header.jwk ?? this.accounts.get(header.kid ?? "");
    if (!jwk) throw new Problem(400, "accountDoesNotExist", `there is no account ${header.kid}`);
    const signed = Buffer.from(`${jws.protected}.${jws.payload}`);
    const key = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" as const };
    if (header.url !== this.url + path || !verify("sha256", signed, key, base64url(jws.signature)))
      throw new Problem(401, "unauthorized", "the signature is wrong");
    const payload = jws.payload === "" ? {} : JSON.parse(base64url(jws.payload).toString());
    return { payload, jwk, account: header.kid ?? `${this.url}/account/${thumbprintOf(jwk)}` };
  }

  private async act(
    kind: string,
    id: string,
    { payload, jwk, account }: Request,
    response: ServerResponse,
  ): Promise<void> {
    if (kind === "account") {
      this.accounts.set(account, jwk);
      response.setHeader("Location", account);
      return this.answer(response, id === "" ? 201 : 200, { status: "valid", orders: `${account}/orders` });
    }
    const order = kind === "new-order" ? this.order(payload, jwk) : this.orders.get(id);
    if (!order) throw new Problem(404, "malformed", `there is no ${kind} ${id}`);
    if (kind === "challenge") {
      if (order.challenge === "pending") {
        order.challenge = "processing";
        void this.validate(order);
      }
      response.setHeader("Link", `<${this.url}/authorization/${order.id}>;rel="up"`);
      return this.answer(response, 200, this.challenge(order));
    }
    if (kind === "authorization") return this.answer(response, 200, this.authorization(order));
    if (kind === "certificate")
      return void response
        .writeHead(200, { "Content-Type": "application/pem-certificate-chain" })
        .end(order.certificate);
    if (kind === "finalize") {
      if (order.challenge !== "valid") throw new Problem(403, "orderNotReady", "the challenge is not met");
      order.certificate = await this.sign(order, base64url(payload.csr ?? ""));
    }
    response.setHeader("Location", `${this.url}/order/${order.id}`);
    this.answer(response, kind === "new-order" ? 201 : 200, this.orderObject(order));
  }

  private order({ identifiers = [] }: Request["payload"], jwk: JsonWebKey): Order {
    const [identifier, ...more] = identifiers;
    if (!identifier || more.length > 0) throw new Problem(400, "rejectedIdentifier", "order one name at a time");
    const thumbprint = thumbprintOf(jwk);
    const id = token();
    const order: Order = {
      id,
      name: identifier.value,
      token: token(),
      thumbprint,
      challenge: "pending",
      certificate: undefined,
    };
    this.orders.set(id, order);
    return order;
  }

  private orderObject({ id, name, challenge, certificate }: Order) {
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

  private authorization(order: Order) {
    const status = order.challenge === "processing" ? "pending" : order.challenge;
    const identifier = { type: "dns", value: base(order.name) };
    const wildcard = order.name.startsWith("*.") && { wildcard: true };
    return { status, expires: inAnHour(), identifier, challenges: [this.challenge(order)], ...wildcard };
  }

  private challenge({ id, token, challenge: status }: Order) {
    const error = { type: "urn:ietf:params:acme:error:dns", detail: "the TXT record was not found" };
    return {
      type: "dns-01",
      url: `${this.url}/challenge/${id}`,
      token,
      status,
      ...(status === "invalid" && { error }),
    };
  }

  /** Asks for the TXT record until it is there or patience ends, as authorities ask again (RFC 8555 §8.2, §8.4). */
  private async validate(order: Order): Promise<void> {
    const name = `_acme-challenge.${base(order.name)}`;
    const wanted = digest(`${order.token}.${order.thumbprint}`);
    const resolver = new Resolver({ timeout: 1000, tries: 1 });
    resolver.setServers([`127.0.0.1:${this.dnsPort()}`]);
    const end = performance.now() + patience;
    let found: string[] = [];
    while (!found.includes(wanted) && performance.now() < end) {
      const answers = await resolver.resolveTxt(name).catch((): string[][] => []);
      found = answers.map((strings) => strings.join(""));
      if (!found.includes(wanted)) await pause(50);
    }
    this.validations.push({ name, wanted, found });
    order.challenge = found.includes(wanted) ? "valid" : "invalid";
  }

  /** Signs the request for a certificate by openssl; answers the chain. */
  private async sign({ id }: Order, csr: Buffer): Promise<string> {
    writeFileSync(this.file(`${id}.csr`), csr);
    const serial = ["-set_serial", `0x${randomBytes(8).toString("hex")}`, "-days", "1", "-copy_extensions", "copy"];
    const authority = ["-CA", this.ca, "-CAkey", this.file("ca.key"), ...serial];
    const request = ["x509", "-req", "-inform", "DER", "-in", this.file(`${id}.csr`), ...authority];
    const { stdout } = await promisify(execFile)("openssl", request);
    return stdout + readFileSync(this.ca, "utf8");
  }

  private answer(response: ServerResponse, status: number, body: object): void {
    const type = status >= 400 ? "application/problem+json" : "application/json";
    response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(body));
  }
}

/** The name that a wildcard is proven at. */
const base = (name: string) => name.replace(/^\*\./, "");

/** RFC 3339 without fractions. */
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, "");
