/**
 * A service that is being filled: what a client needs to create users, keys and zones through the service's own interfaces, and what it
 * keeps of them. Every operation throws unless it succeeds.
 */
import type { TsigAlgorithm } from "../../../src/dns/message/tsig.ts";
import { type ClientKey, clientKey, UpdateClient } from "../../setup/dns/update-client.ts";
import type { Answer, Json } from "../../setup/service/service.ts";
import { type RestRequest, RunningService } from "./service.ts";

/** The administrator's key of the service that is filled. */
export const administratorKey = "upgrade-administrator-key-0123456789";

const documents = {
  createUser: "mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }",
  updateUser: "mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { id } } }",
  deleteUser: "mutation ($input: DeleteUserInput!) { deleteUser(input: $input) { deletedId } }",
  createApiKey: "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { id } } }",
  revokeApiKey: "mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { id } } }",
  createTsigKey: "mutation ($input: CreateTsigKeyInput!) { createTsigKey(input: $input) { secret tsigKey { id } } }",
  revokeTsigKey: "mutation ($input: RevokeTsigKeyInput!) { revokeTsigKey(input: $input) { tsigKey { id } } }",
  createSecondary: "mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }",
  updateSecondary: "mutation ($input: UpdateSecondaryInput!) { updateSecondary(input: $input) { secondary { id } } }",
  deleteSecondary: "mutation ($input: DeleteSecondaryInput!) { deleteSecondary(input: $input) { deletedId } }",
  createDomain: "mutation ($input: CreateDomainInput!) { createDomain(input: $input) { domain { id } } }",
  deleteDomain: "mutation ($input: DeleteDomainInput!) { deleteDomain(input: $input) { change { id serial } } }",
  transferDomain: "mutation ($input: TransferDomainInput!) { transferDomain(input: $input) { domain { id } } }",
  resyncDomain: "mutation ($input: ResyncDomainInput!) { resyncDomain(input: $input) { change { serial } } }",
  republishDomain: "mutation ($input: RepublishDomainInput!) { republishDomain(input: $input) { domain { id } } }",
  changeRecords: "mutation ($input: ChangeRecordsInput!) { changeRecords(input: $input) { change { id serial } } }",
  importZone: "mutation ($input: ImportZoneInput!) { importZone(input: $input) { change { id serial } } }",
} as const;

/** Records as one writes them, each as `owner ttl type rdata`; a blank in an owner is `\032`. */
export type Lines = readonly string[];

export class World {
  readonly databaseUrl: string;
  /** Ids of users by their e-mail addresses. */
  readonly users = new Map<string, string>();
  readonly apiKeys = new Map([["administrator", administratorKey]]);
  readonly tsigKeys = new Map<string, ClientKey>();
  readonly updates = new UpdateClient(() => this.service.dnsPort);
  readonly #ids = new Map<string, string>();
  #service: RunningService | undefined;

  constructor(databaseUrl: string) {
    this.databaseUrl = databaseUrl;
  }

  get service(): RunningService {
    if (!this.#service) throw new Error("the service does not run");
    return this.#service;
  }

  /** Starts the service, after stopping it when it runs. */
  async start(settings: Readonly<Record<string, string>>): Promise<void> {
    await this.stop();
    const all = { ADMIN_API_KEY: administratorKey, ...settings };
    this.#service = await RunningService.start(this.databaseUrl, all);
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#service = undefined;
  }

  /** Runs a mutation with the API key of this name; returns its payload. */
  async run(mutation: keyof typeof documents, input: Json, key = "administrator"): Promise<Json> {
    return (await this.query(documents[mutation], { input }, key))[mutation];
  }

  /** Runs any GraphQL operation; returns its data. */
  async query(document: string, variables: Json = {}, key = "administrator"): Promise<Json> {
    const { body } = await this.service.graphql(this.apiKeys.get(key) ?? null, document, variables);
    if (body.errors) throw new Error(`${document} ${JSON.stringify(variables)}: ${JSON.stringify(body.errors)}`);
    return body.data;
  }

  /** Sends a request over REST with the API key of this name. */
  async rest({ key = "administrator", ...request }: Omit<RestRequest, "key"> & { key?: string }): Promise<Answer> {
    const answer = await this.service.rest({ ...request, key: this.apiKeys.get(key) ?? null });
    if (answer.status >= 400) throw new Error(`${request.path} ${JSON.stringify(request.form)}: ${answer.text}`);
    return answer;
  }

  async user(email: string): Promise<string> {
    const { user } = await this.run("createUser", { email });
    this.users.set(email, user.id);
    return user.id;
  }

  /** The id of a user, a key or a secondary that was created by this name. */
  id(name: string): string {
    const id = this.users.get(name) ?? this.#ids.get(name);
    if (id === undefined) throw new Error(`there is no ${name}`);
    return id;
  }

  /** Creates an API key; `name` says what it is for. */
  async apiKey(name: string, { user, ...grant }: Json = {}): Promise<void> {
    const userId = user && this.id(user);
    const { key, apiKey } = await this.run("createApiKey", { name, ...(userId && { userId }), ...grant });
    this.apiKeys.set(name, key);
    this.#ids.set(name, apiKey.id);
  }

  /** Creates a TSIG key. */
  async tsigKey(name: string, { user, algorithm = "hmac-sha256", ...grant }: Json = {}): Promise<void> {
    const userId = user && this.id(user);
    const input = {
      name,
      algorithm: algorithm.toUpperCase().replaceAll("-", "_"),
      ...(userId && { userId }),
      ...grant,
    };
    const { secret, tsigKey } = await this.run("createTsigKey", input);
    this.tsigKeys.set(name, clientKey(name, secret, algorithm as TsigAlgorithm));
    this.#ids.set(name, tsigKey.id);
  }

  /** Registers a secondary that signs with the TSIG key of this name. */
  async secondary(name: string, { tsigKey, ...fields }: Json): Promise<void> {
    const input = { name, ...(tsigKey && { tsigKeyId: this.id(tsigKey) }), ...fields };
    this.#ids.set(name, (await this.run("createSecondary", input)).secondary.id);
  }

  /** Creates a domain for the user of this e-mail address and puts records into it, in one change. */
  async domain(zone: string, email: string, lines: Lines = [], key?: string): Promise<void> {
    await this.run("createDomain", { zone, userId: this.id(email) }, key);
    if (lines.length > 0) await this.add(zone, lines, key);
  }

  /** Adds records in one change. */
  async add(zone: string, lines: Lines, key?: string): Promise<void> {
    await this.run("changeRecords", { zone, add: lines.map(recordOf) }, key);
  }

  /** Every record of a zone as GraphQL lists it. */
  async records(zone: string): Promise<Json[]> {
    const document = `query ($zone: String!) {
      domain(by: { zone: $zone }) { records(first: 1000) { nodes { id owner type ttl rdata } } } }`;
    return (await this.query(document, { zone })).domain.records.nodes;
  }

  /** The id of the first record of this owner and type. */
  async recordId(zone: string, owner: string, type: string): Promise<string> {
    const found = (await this.records(zone)).find((record) => record.owner === owner && record.type === type);
    if (!found) throw new Error(`${zone} has no ${type} at ${owner}`);
    return found.id;
  }

  async serial(zone: string): Promise<number> {
    return (await this.query("query ($zone: String!) { domain(by: { zone: $zone }) { serial } }", { zone })).domain
      .serial;
  }

  /** Sets the serial of a zone by an edit of its SOA. */
  async setSerial(zone: string, serial: number): Promise<void> {
    const soa = (await this.records(zone)).find(({ type }) => type === "SOA");
    const rdata = soa.rdata.split(" ").with(2, String(serial)).join(" ");
    await this.run("changeRecords", { zone, update: [{ id: soa.id, rdata }], force: true });
  }

  /** Sends a dynamic update, signed with the TSIG key or the one of this name; throws unless the answer has this rcode. */
  async update(zone: string, lines: Lines, key: ClientKey | string | undefined, rcode = "NOERROR"): Promise<void> {
    const signer = typeof key === "string" ? this.tsigKeys.get(key) : key;
    const answer = await this.updates.update(zone, lines, { key: signer });
    if (answer.rcode !== rcode) throw new Error(`${zone} ${lines.join("; ")}: ${answer.rcode}`);
  }
}

function recordOf(line: string): Json {
  const [owner, ttl, type, ...rdata] = line.split(" ");
  return { owner, ttl: Number(ttl), type, rdata: rdata.join(" ") };
}
