/** Law 7: nothing is orphaned. No rows without what they belong to, no transaction left open, no process and no file of an earlier run. */
import { existsSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { childrenOf, processesIn } from "../basics/linux-processes.ts";
import { isCluster, type World } from "./world.ts";

/** Connections that the service may have: of its pool, its name server and its publisher. */
const maxConnections = 10 + 8 + 8 + 6;

/** Files that the service may have open: its connections with clients and to PostgreSQL, and what Node needs. */
const maxOpenFiles = 300;

const checks: Readonly<Record<string, string>> = {
  "records without a domain": "select 1 from zone_record where domain_id not in (select id from domain)",
  "versions without a change of their domain": `select 1 from change_record v
    left join change begun on begun.id = v.since left join change ended on ended.id = v.change_id
    where begun.domain_id is distinct from v.domain_id or ended.domain_id is distinct from v.domain_id`,
  "records without a change of their domain": `select 1 from zone_record r left join change c on c.id = r.change_id
    where c.domain_id is distinct from r.domain_id`,
  "versions of a record that overlap": `select 1 from (
      select since, lag(change_id) over (partition by record_id order by since) as ended from (
        select record_id, since, change_id from change_record union all select id, change_id, null from zone_record
      ) versions
    ) v where ended > since`,
  "changes of no domain": `select 1 from change where domain_id not in (select id from domain)
    and domain_id not in (select id from deleted_domain)`,
  "domains without one SOA": `select 1 from domain d
    where (select count(*) from zone_record r where r.domain_id = d.id and r.type = 'SOA') <> 1`,
  "domains without a user": "select 1 from domain where user_id is null and zone <> 'catalog.zonesmith'",
  "prepared transactions": "select 1 from pg_prepared_xacts",
  "transactions left open": `select 1 from pg_stat_activity where pid <> pg_backend_pid()
    and backend_type = 'client backend' and xact_start < clock_timestamp() - interval '1 second'`,
  "too many connections": `select 1 from pg_stat_activity where application_name like 'zonesmith%'
    having count(*) > ${maxConnections}`,
};

/** Throws a sentence on what is left over. */
export async function expectTidy(world: World): Promise<void> {
  const client = await world.connect();
  try {
    for (const [what, statement] of Object.entries(checks)) {
      const { rowCount } = await client.query(statement);
      if (rowCount !== 0) throw new Error(`${rowCount} ${what}`);
    }
  } finally {
    await client.end();
  }
  if (!isCluster(world.database)) {
    expectPostgresProcesses(world);
    expectPostgresFiles(world);
  }
  expectServiceTidy(world);
}

/** PostgreSQL's processes are one tree, and that of the embedded one belongs to the service. */
function expectPostgresProcesses(world: World): void {
  const { postmaster } = world;
  const home = realpathSync(join(world.dataDir, "postgres"));
  for (const { pid, parent } of processesIn(home))
    if (pid !== postmaster && parent !== postmaster) throw new Error(`process ${pid} is left in the data folder`);
  const owner = world.database === "embedded" ? world.service.pid : process.pid;
  if (!childrenOf(owner).includes(postmaster)) throw new Error(`PostgreSQL is not a child of process ${owner}`);
}

/** The service has no other processes, and few files open, none of them deleted. */
function expectServiceTidy(world: World): void {
  const { postmaster } = world;
  const children = childrenOf(world.service.pid).filter((pid) => pid !== postmaster);
  if (children.length > 0) throw new Error(`the service has other children: ${children}`);
  const files = readdirSync(`/proc/${world.service.pid}/fd`);
  if (files.length > maxOpenFiles) throw new Error(`the service has ${files.length} files open`);
  const folder = `/proc/${world.service.pid}/fd`;
  const deleted = files.filter((file) => existsSync(join(folder, file)) && isDeleted(join(folder, file)));
  if (deleted.length > 0) throw new Error(`the service has deleted files open: ${deleted}`);
}

function isDeleted(path: string): boolean {
  try {
    return readlinkSync(path).startsWith("/") && readlinkSync(path).endsWith(" (deleted)");
  } catch {
    return false;
  }
}

function expectPostgresFiles(world: World): void {
  const home = realpathSync(join(world.dataDir, "postgres"));
  const expected: Readonly<Record<string, readonly string[]>> = {
    [world.dataDir]: ["postgres", "service.json"],
    [home]: ["cluster", "lock", "socket"],
    [join(home, "socket")]: [".s.PGSQL.5432", ".s.PGSQL.5432.lock"],
  };
  for (const [folder, names] of Object.entries(expected)) {
    const strange = readdirSync(folder).filter((name) => !names.includes(name));
    if (strange.length > 0) throw new Error(`left in the data folder: ${strange.join(", ")}`);
  }
}
