/**
 * The two ways of a read, in process and on one database: by a plan, and by graphql-js with the resolvers. With data that is awkward to
 * write, and a key of each kind.
 */
import type { MikroORM } from "@mikro-orm/postgresql";
import { type DocumentNode, execute, type GraphQLSchema, parse, validate } from "graphql";
import { pino } from "pino";
import { ConnectionSupervisor } from "../../../src/database/connection-supervisor.ts";
import { Pipeline } from "../../../src/database/pipeline.ts";
import { Context } from "../../../src/graphql/context.ts";
import { Documents } from "../../../src/graphql/documents.ts";
import { Plans } from "../../../src/graphql/plan/plan.ts";
import { admissionRules } from "../../../src/graphql/query-limits.ts";
import { rowLimit } from "../../../src/graphql/row-limit.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { openDatabase } from "../../../src/service/database.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { dropDatabase, freshDatabase, query } from "../database/database.ts";
import { policy } from "./session.ts";

/** Ids that exist, by what has them, and zones. */
export interface SceneIds {
  readonly users: readonly string[];
  readonly domains: readonly string[];
  readonly records: readonly string[];
  readonly zones: readonly string[];
}

/** Texts that are awkward to write: as the data of records, they are stored as they are. */
const awkward = [
  '"plain"',
  '"with \\"quotes\\" and \\\\ backslashes"',
  "\"it's $1 'quoted' %s\"",
  '"tab\tand\u0001control\u001f\u007f"',
  '"ümlaut, 中文, \u2028, 😀"',
  "a,b;{}[]",
  "null",
  "",
];

/** Records whose data can be read as fields, but for the last: their types and texts. */
const typed: string[][] = [
  ["MX", "TXT", "SRV", "CAA", "SOA", "TYPE65280", "A"],
  [
    "10 mail.example.com.",
    '"one" "tw\\"o" "\\195\\188"',
    "1 2 5060 sip.example.com.",
    '0 issue "ca.example"',
    "ns1.example.com. hostmaster.example.com. 4294967295 10800 3600 1209600 3600",
    "\\# 2 abcd",
    "not an address",
  ],
];

const data = `
  insert into "user" (email, created_at) values ('first@example.com', '2026-01-02 03:04:05.678901Z'), ('Zweite.O''Neil@example.com', '2026-01-01Z'), ('nothing@example.com', '2025-12-31 23:59:59.999999Z');
  insert into domain (zone, user_id, serial, created_at) select z, (select id from "user" order by id offset n % 2 limit 1), 4294967295 - n, timestamptz '2026-02-01Z' + n * interval '1.5 day 0.001 s'
    from unnest(array['example.com', 'empty.example', 'xn--bcher-kva.example', 'a.example', 'b.example', '\\046dot.example', 'xn--0.example', 'z.example']) with ordinality as t(z, n);
  insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
    select d.id, case when n % 5 = 0 then '@' when n % 5 = 1 then '*.xn--bcher-kva' else 'h' || n || '\\032' end, (array['TXT', 'A', 'MX', 'SOA', 'TYPE65280'])[1 + n % 5], (n * 7919) % 2147483647, ($1::text[])[1 + n % array_length($1::text[], 1)], '\\x00', decode(md5(d.id || ' ' || n), 'hex')
    from domain d, generate_series(1, 23) n where d.zone not in ('empty.example', 'b.example') and n <= case d.zone when 'a.example' then 1 when 'z.example' then 2 else 23 end;
  delete from zone_record where rdata = '"plain"' and id % 3 = 0;
  insert into domain (zone, user_id, serial) values ('typed.example', (select min(id) from "user"), 1);
  insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
    select d.id, 'o' || n, type, n, rdata, '\\x00', decode(md5(n::text), 'hex') from domain d, unnest($1::text[], $2::text[]) with ordinality as t(type, rdata, n) where d.zone = 'typed.example';
  insert into rrset_note (domain_id, owner, type, text, actor, updated_at)
    select domain_id, owner, type, min('note ' || rdata || E'\n"' || owner), 'nobody', now() from zone_record where id % 5 < 3 group by 1, 2, 3;
  update domain set labels = '{"env": "prod"}' where serial % 2 = 0;
  insert into domain (zone, user_id, serial) values ('catalog.zonesmith', null, 1);
`;

export class PlanScene {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly faults: unknown[] = [];
  readonly ids: SceneIds;
  readonly actors: Readonly<Record<string, Actor>>;
  readonly #orm: MikroORM;
  readonly #url: string;
  readonly #pipeline: Pipeline;
  readonly #checkRows: ReturnType<typeof rowLimit>;

  private constructor(parts: { schema: GraphQLSchema; orm: MikroORM; url: string; pipeline: Pipeline; ids: SceneIds }) {
    const { schema, orm, url, pipeline, ids } = parts;
    this.schema = schema;
    this.#orm = orm;
    this.#url = url;
    this.#pipeline = pipeline;
    this.ids = ids;
    this.#checkRows = rowLimit(schema);
    const onFault = (error: unknown) => void this.faults.push(error);
    const database = { points: pipeline, lists: pipeline, searches: pipeline };
    this.documents = new Documents({
      schema,
      log: pino({ level: "silent" }),
      makePlans: (planned) => new Plans({ schema, database, onFault }, planned),
    });
    const user = { role: "user", userId: Number(ids.users[0]), readOnly: false, name: "user" } as const;
    this.actors = {
      administrator: { role: "administrator", userId: null, readOnly: false, name: "administrator" },
      user,
      "read-only": { ...user, userId: Number(ids.users[1]), readOnly: true, name: "read-only" },
      "limited to zones": { ...user, zones: ["example.com", "a.example"], name: "limited" },
    };
  }

  static async open(): Promise<PlanScene> {
    const url = await freshDatabase();
    const statements = data.split(/;\n/).filter((each) => each.trim() !== "");
    const valuesOf = (statement: string) =>
      statement.includes("$2") ? typed : statement.includes("$1") ? [awkward] : [];
    for (const statement of statements) await query(url, statement, valuesOf(statement));
    const texts = async (statement: string) => (await query<{ text: string }>(url, statement)).map(({ text }) => text);
    const ids = {
      users: await texts('select id::text as text from "user" order by id'),
      domains: await texts("select id::text as text from domain where user_id is not null order by id"),
      records: await texts("select id::text as text from zone_record order by id"),
      zones: await texts("select zone as text from domain order by id"),
    };
    const pipeline = new Pipeline({
      url,
      supervisor: new ConnectionSupervisor(),
      connections: 1,
      statementTimeoutMs: 60_000,
    });
    await pipeline.open();
    return new PlanScene({ schema: await createSchema(), orm: await openDatabase({ url }), url, pipeline, ids });
  }

  async close(): Promise<void> {
    await this.#pipeline.close();
    await this.#orm.close(true);
    await dropDatabase(this.#url);
  }

  /** The answer by a plan, which is made for a document that was seen before; undefined where there is none. */
  async byPlan(query: string, variables: Record<string, unknown>, actor: Actor): Promise<string | undefined> {
    for (const _ of ["seen", "seen again"])
      try {
        this.documents.read(query);
      } catch {
        return undefined;
      }
    const sent = { query, operationName: undefined, variables, mayWrite: false };
    return this.documents.answer(sent, actor)?.plan?.run();
  }

  /** The answer by graphql-js; undefined where it is not of full success. */
  async byGraphql(text: string, variables: Record<string, unknown>, actor: Actor): Promise<string | undefined> {
    const document = this.#parse(text);
    if (!document) return undefined;
    const operation = document.definitions.find((each) => each.kind === "OperationDefinition");
    try {
      this.#checkRows(document, operation as never, variables);
    } catch {
      return undefined;
    }
    const now = () => new Date("2026-11-21T12:00:00Z");
    const session = { em: this.#orm.em.fork(), actor, door: "graphql", policy, now } as const;
    const result = await execute({
      schema: this.schema,
      document,
      variableValues: variables,
      contextValue: new Context(session),
    });
    return result.errors ? undefined : `${JSON.stringify(result)}\n`;
  }

  #parse(text: string): DocumentNode | undefined {
    try {
      const document = parse(text);
      return validate(this.schema, document, admissionRules).length === 0 ? document : undefined;
    } catch {
      return undefined;
    }
  }
}
