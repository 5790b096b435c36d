/** The real service for a test file, on a database and a port of its own, and the clients that tests speak to it with. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "@jest/globals";
import { buildSchema, type GraphQLObjectType } from "graphql";
import type pg from "pg";
import { readConfig } from "../../../src/config/config.ts";
import { codesOfMutation, commonCodes } from "../../../src/graphql/schema/mutation-codes.ts";
import { type Service, start } from "../../../src/main.ts";
import { freePort } from "../basics/free-port.ts";
import { copyDatabase, emptyDatabase, freshDatabase, openPool, replaceDatabase } from "../database/database.ts";
import { type Answer, adminKey, bodyOf, Client, type Json, type RestOptions } from "./client.ts";
import { undocumented } from "./documented-answers.ts";

export { type Answer, adminKey, answerOf, type Json, mutation, type RestOptions } from "./client.ts";

/** The service of a test file; usable inside tests and hooks. */
export class TestService extends Client {
  /** The port of DNS over TLS, if it is served. */
  dnsTlsPort = 0;
  databaseUrl = "";
  /** Where its metrics are; empty where METRICS_PORT is not set. */
  metricsUrl = "";
  /** The lines that the service logged; LOG_LEVEL is silent unless a test file sets it. */
  readonly logged: string[] = [];
  readonly failures: string[] = [];
  private service: Service | undefined;
  private backupUrl: string | undefined;
  private pool: pg.Pool | undefined;
  private readonly environment: Record<string, string>;
  private readonly urlFor: (url: string) => string | Promise<string>;

  /** `urlFor` returns the URL by which the service reaches the database at the given one. */
  constructor(environment: Record<string, string>, urlFor: (url: string) => string | Promise<string> = (url) => url) {
    super();
    this.environment = environment;
    this.urlFor = urlFor;
  }

  async start(): Promise<void> {
    this.databaseUrl = await freshDatabase();
    this.dnsPort = await freePort();
    await this.run();
  }

  /** Starts the service on its database; at the port of DNS that it has had from its first start on. */
  async run(): Promise<void> {
    const config = readConfig({
      DATABASE_URL: await this.urlFor(this.databaseUrl),
      HTTP_PORT: "0",
      DNS_PORT: String(this.dnsPort),
      LOG_LEVEL: "silent",
      ADMIN_API_KEY: adminKey,
      RATE_LIMIT_KEY: "0",
      RATE_LIMIT_ADDRESS: "0",
      RATE_LIMIT_WRONG_KEY: "0",
      ...this.environment,
    });
    this.service = await start(config, {
      logTo: { write: (line) => void this.logged.push(line) },
      onFailure: (reason) => void this.failures.push(reason),
    });
    this.url = this.service.url;
    this.dnsPort = this.service.dns.port;
    this.dnsTlsPort = this.service.dns.tlsPort ?? 0;
    this.metricsUrl = this.service.metricsUrl ?? "";
  }

  /** Ends the service and every connection to its database. */
  async pause(): Promise<void> {
    await this.service?.stop();
    this.service = undefined;
    await this.pool?.end();
    this.pool = undefined;
  }

  /** Starts the service again unless it runs. */
  async resume(): Promise<void> {
    if (!this.service) await this.run();
  }

  /** Takes a backup of the database while the service is stopped, and starts it again. */
  async backup(): Promise<void> {
    await this.pause();
    this.backupUrl = await copyDatabase(this.databaseUrl);
    await this.run();
  }

  /** Stops the service, restores the backup over whatever was written since, and starts the service again. */
  async restore(): Promise<void> {
    if (this.backupUrl === undefined) throw new Error("there is no backup");
    await this.pause();
    await replaceDatabase(this.databaseUrl, this.backupUrl);
    await this.run();
  }

  /** Stops the service, has its database filled by something else, from empty, and starts the service again. */
  async refill(fill: (url: string) => Promise<unknown>): Promise<void> {
    await this.pause();
    const empty = await emptyDatabase();
    await fill(empty);
    await replaceDatabase(this.databaseUrl, empty);
    await this.run();
  }

  override async rest(method: string, path: string, options: RestOptions = {}): Promise<Answer> {
    const answer = await super.rest(method, path, options);
    const lack = this.environment.REST_ENVELOPE === undefined && undocumented(method, path, answer);
    if (lack)
      throw new Error(
        `An answer is not as the reference says: ${lack}; ${answer.status} ${answer.text.slice(0, 2000)}`,
      );
    const body = bodyOf(options);
    const sent = body instanceof FormData ? [...body.keys()].map((name) => `${name}=`).join("&") : body;
    expectSentField(answer.body, `${namedParts(path)} ${JSON.stringify(options.headers ?? {})} ${sent}`);
    return answer;
  }

  override async graphql(
    document: string,
    variables: Record<string, unknown> = {},
    key?: string | null,
  ): Promise<Answer> {
    const answer = await super.graphql(document, variables, key);
    for (const { extensions, path } of answer.body?.errors ?? []) {
      expectTypedError(extensions);
      expectSentField({ ...extensions, error: extensions.code }, `${document} ${JSON.stringify(variables)}`);
      if (path && /^\s*mutation\b/.test(document)) expectListedCode(document, String(path[0]), extensions);
    }
    return answer;
  }

  async sql<Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
    this.pool ??= openPool(this.databaseUrl);
    return (await this.pool.query<Row>(statement, values)).rows;
  }

  /** The serial of a zone as it is committed. */
  async serial(zone: string): Promise<number> {
    const statement = "select serial::float8 as serial from domain where zone = $1";
    const [row] = await this.sql<{ serial: number }>(statement, [zone]);
    if (!row) throw new Error(`there is no zone ${zone}`);
    return row.serial;
  }

  /** The records of a zone of the owners that match a pattern of SQL, as `owner type ttl rdata`, in their order. */
  async stored(zone: string, owners = "%"): Promise<string[]> {
    const rows = await this.sql<{ line: string }>(
      `select concat_ws(' ', r.owner, r.type, r.ttl, r.rdata) as line from zone_record r join domain d on d.id = r.domain_id
      where d.zone = $1 and r.owner like $2 order by 1`,
      [zone, owners],
    );
    return rows.map(({ line }) => line);
  }

  /** What a refused request must not have moved: a zone's records, serial and journal. */
  async snapshot(zone: string): Promise<Json> {
    return this.sql(
      `select d.serial, (select count(*) from change c where c.domain_id = d.id) as changes,
        (select jsonb_agg(jsonb_build_array(r.id, r.owner, r.type, r.ttl, r.rdata) order by r.id) from zone_record r where r.domain_id = d.id) as records
      from domain d where d.zone = $1`,
      [zone],
    );
  }

  /** All that a refused request must leave as it was: users, domains with their serials, records, and the journal's length. */
  async state(): Promise<Json> {
    return this.sql(
      `select (select jsonb_agg(jsonb_build_array(id, email) order by id) from "user") as users,
        (select jsonb_agg(jsonb_build_array(id, zone, user_id, serial) order by id) from domain) as domains,
        (select jsonb_agg(jsonb_build_array(id, owner, type, ttl, rdata) order by id) from zone_record) as records,
        (select count(*) from change) as changes`,
    );
  }
}

/** Path parameters written as query parameters are, beside the query of a path. */
function namedParts(path: string): string {
  const last = /^\/domain\/(list\/(?=zone)|list\/(?=user)|)(zone|user|zonefile|diff|history)\/[^?]/.exec(path)?.[2];
  const names: Record<string, string> = { zone: "zoneid", user: "userid" };
  return `${last ? (names[last] ?? "zone") : "id"}= ${decodeURIComponent(path.split("?")[1] ?? "")}`;
}

/** No refusal may name a field that nobody sent, unless it says that the field is missing. */
function expectSentField(refusal: Json, request: string): void {
  if (typeof refusal?.field !== "string" || /is missing|is null/.test(refusal.message)) return;
  if (["MISSING_FIELD", "UNAUTHENTICATED"].includes(refusal.error)) return;
  const name = refusal.field.split(".")[0];
  if (!new RegExp(`\\b${name}\\b(\\[\\w*\\])*["\\]]*\\s*[:=]`).test(request))
    throw new Error(
      `A refusal names a field that was not sent: ${JSON.stringify(refusal)} for ${request.slice(0, 2000)}`,
    );
}

/** No mutation may answer a code that its description does not list; `alias` is its name in the answer. */
function expectListedCode(document: string, alias: string, { code, details }: Json): void {
  const name = new RegExp(`\\b${alias}\\s*:\\s*(\\w+)\\(`).exec(document)?.[1] ?? alias;
  const listed: readonly string[] = [...commonCodes, ...codesOfMutation(name)];
  for (const each of [code, ...(details?.reasons ?? []).map((reason: Json) => reason.code)])
    if (!listed.includes(each))
      throw new Error(`${name} answers ${each}, which mutation-codes.ts does not list for it`);
}

const errorTypes = buildSchema(readFileSync(join(import.meta.dirname, "../../../schema.graphql"), "utf8"), {
  assumeValidSDL: true,
});

/** No error may have what the types of errors in the schema do not have. */
function expectTypedError(extensions: Json): void {
  const expectTyped = (type: string, value: Json = {}) => {
    const fields = (errorTypes.getType(type) as GraphQLObjectType).getFields();
    const untyped = Object.keys(value).filter((name) => !(name in fields));
    if (untyped.length > 0) throw new Error(`${type} has no ${untyped.join(", ")}: ${JSON.stringify(extensions)}`);
  };
  expectTyped("ErrorExtensions", extensions);
  expectTyped("ErrorDetails", extensions?.details);
  for (const reason of extensions?.details?.reasons ?? []) expectTyped("ErrorReason", reason);
}

/** A service for the whole test file; `environment` are settings of config.ts, `urlFor` as in TestService. */
export function testService(
  environment: Record<string, string> = {},
  urlFor?: (url: string) => string | Promise<string>,
): TestService {
  const service = new TestService(environment, urlFor);
  beforeAll(() => service.start());
  afterAll(() => service.pause());
  return service;
}
