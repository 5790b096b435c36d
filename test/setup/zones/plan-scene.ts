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
import { timesOf } from "../../../src/secondary/publication.ts";
import { openDatabase } from "../../../src/service/database/open-database.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { freshDatabase, query } from "../database/database.ts";
import { policy } from "./session.ts";

/** Ids that exist, by what has them, and zones. */
export interface SceneIds {
  readonly users: readonly string[];
  readonly domains: readonly string[];
  readonly records: readonly string[];
  readonly changes: readonly string[];
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
  update zone_record set wire = decode(repeat('00', 22), 'hex') where type = 'SOA';
  delete from zone_record where rdata = '"plain"' and id % 3 = 0;
  insert into domain (zone, user_id, serial) values ('typed.example', (select min(id) from "user"), 1);
  insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
    select d.id, 'o' || n, type, n, rdata, '\\x00', decode(md5(n::text), 'hex') from domain d, unnest($1::text[], $2::text[]) with ordinality as t(type, rdata, n) where d.zone = 'typed.example';
  insert into rrset_note (domain_id, owner, type, text, actor, updated_at)
    select domain_id, owner, type, min('note ' || rdata || E'\n"' || owner), 'nobody', now() from zone_record where id % 5 < 3 group by 1, 2, 3;
  update domain set labels = '{"env": "prod"}' where serial % 2 = 0;
  insert into domain (zone, user_id, serial) values ('catalog.zonesmith', null, 1);
  insert into api_key (name, fingerprint, hash, user_id) select 'key of ' || email, left(md5(email), 8) || repeat('0', 56), decode(md5(email), 'hex'), id from "user";
  insert into tsig_key (name, algorithm, secret, is_sealed, user_id) select 'tsig.example', 'hmac-sha256', '\\x00', false, min(id) from "user";
  insert into deleted_domain (id, zone, serial, user_id, deleted_at) select 7000 + n, z, n, (select id from "user" order by id offset n % 2 limit 1), '2026-11-21T11:59:00Z'
    from unnest(array['gone.example', 'a.example']) with ordinality as t(z, n);
  insert into change (domain_id, zone, kind, previous_serial, serial, actor, door, note, applied_by, created_at)
    select d.id, d.zone, case when n = 1 then 'CREATE' when d.is_deleted and n = 6 then 'DELETE' else 'EDIT' end, case when n > 1 then (d.serial - 6 + n + 4294967295) % 4294967296 end, (d.serial - 6 + n + 4294967296) % 4294967296,
      case when n = 2 then 'tsig.example (TSIG)' when n = 3 then 'unknown "key" (00000000)' when n = 4 then 'system' else (select 'key of ' || email || ' (' || left(md5(email), 8) || ')' from "user" u order by id offset n % 3 limit 1) end,
      case when n = 2 then 'update' when n = 4 then 'system' else 'graphql' end, case when n % 2 = 0 then E'why "it"\n' || n end, case when n = 5 then 'somebody' end, timestamptz '2026-11-21T11:00:00.0009Z' + n * interval '11 minutes'
    from (select id, zone, serial, false as is_deleted from domain union all select id, zone, serial, true from deleted_domain) d, generate_series(1, 6) n;
  update change set undoes = case id % 4 when 0 then 0 when 1 then 1 else id - 1 end, returns_to = id - 2 where kind = 'EDIT' and id % 3 > 0;
  insert into change_record (change_id, ordinal, domain_id, record_id, since, since_ordinal, owner, type, ttl, rdata, wire)
    select c.id, n, c.domain_id, 5000 + n, coalesce((select max(id) from change b where b.domain_id = c.domain_id and b.id < c.id), 0), 100 + n, case when n % 12 = 0 then '@' else 'o"' || n % 4 end, case when n = 0 then 'SOA' else 'TXT' end, n, case when n = 0 then 'ns.example. host.example. 0 1 2 3 4' else '"it''s \\" ' || n || '"' end, decode(repeat('00', 22), 'hex')
    from change c, generate_series(0, 12) n where n < c.id % 14;
  insert into change_set (title, description, user_id, author, state, revision, created_at, updated_at, mode, requested_approvals)
    select 'set "' || n || '"', '', (select id from "user" order by id offset n % 2 limit 1), 'somebody', (array['DRAFT', 'APPLIED', 'IN_REVIEW'])[1 + n % 3], n, '2026-11-21T10:00:00Z', '2026-11-21T10:00:00.1239Z', 'ALL', 0 from generate_series(1, 9) n;
  insert into change_set_zone (change_set_id, zone, domain_id, action) select s.id, d.zone, d.id, 'EDIT' from change_set s, domain d where d.user_id is not null and (s.revision + d.serial) % 3 > 0;
  update change set change_set_id = (select id from change_set order by id offset change.id % 11 limit 1) where kind = 'EDIT';
  insert into secondary (name, address, port, joined_at, required_for_live, tsig_key_id, created_at) select name, '127.0.0.1', 53 + row_number() over (), joined_at::timestamptz, required, (select min(id) from tsig_key), '2026-01-01Z'
    from (values ('ns "one"', '2026-02-01Z', true), ('an other', '2026-11-21T11:50:00Z', true), ('third', null, true), ('fourth', '2026-02-01Z', false)) t(name, joined_at, required);
  insert into sighting (secondary_id, domain_id, zone, serial, serial_at, proven_serial, seen_at, last_error, is_refused, term)
    select s.id, d.id, d.zone, d.serial - (d.id + s.id) % 2, timestamptz '2026-11-21T11:58:00.123456Z', d.serial - (d.id + s.id) % 2, '2026-11-21T11:59:59.9996Z', case when (d.id + s.id) % 3 = 0 then 'time"out' end, (d.id + s.id) % 5 = 0, 1
    from secondary s, (select id, zone, serial from domain union all select id, zone, serial from deleted_domain) d where (d.id + s.id) % 7 > 0;
`;

const now = () => new Date("2026-11-21T12:00:00Z");

export class PlanScene {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly faults: unknown[] = [];
  readonly ids: SceneIds;
  readonly actors: Readonly<Record<string, Actor>>;
  readonly #orm: MikroORM;
  readonly #pipeline: Pipeline;
  readonly #checkRows: ReturnType<typeof rowLimit>;

  private constructor(parts: { schema: GraphQLSchema; orm: MikroORM; pipeline: Pipeline; ids: SceneIds }) {
    const { schema, orm, pipeline, ids } = parts;
    this.schema = schema;
    this.#orm = orm;
    this.#pipeline = pipeline;
    this.ids = ids;
    this.#checkRows = rowLimit(schema);
    const onFault = (error: unknown) => void this.faults.push(error);
    const database = { points: pipeline, lists: pipeline, searches: pipeline };
    this.documents = new Documents({
      schema,
      log: pino({ level: "silent" }),
      makePlans: (planned) => new Plans({ schema, database, onFault, times: () => timesOf({ policy, now }) }, planned),
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
      changes: await texts("select id::text as text from change order by id"),
      zones: await texts("select zone as text from domain order by id"),
    };
    const pipeline = new Pipeline({
      url,
      supervisor: new ConnectionSupervisor(),
      connections: 1,
      statementTimeoutMs: 60_000,
    });
    await pipeline.open();
    return new PlanScene({ schema: await createSchema(), orm: await openDatabase({ url }), pipeline, ids });
  }

  async close(): Promise<void> {
    await this.#pipeline.close();
    await this.#orm.close(true);
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
    const session = { em: this.#orm.em.fork(), actor, source: "graphql", policy, now } as const;
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
