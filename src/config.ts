/**
 * The environment, read once: every setting of the service in one typed table, which the README's table is printed from.
 * Nothing else reads process.env. A secret NAME may also come as NAME_FILE, the path of a file that holds it.
 */
import { readFileSync } from "node:fs";

/** A setting: its default as one would write it, what it says, and how its text is read (throws a sentence on a bad one). */
interface Setting<T> {
  readonly fallback: string;
  readonly says: string;
  readonly secret?: boolean;
  readonly read: (text: string) => T;
}

const text = (fallback: string, says: string): Setting<string> => ({ fallback, says, read: (value) => value });
const secret = (says: string): Setting<string> => ({ fallback: "", says, secret: true, read: (value) => value });

function whole(fallback: number, least: number, most: number, says: string): Setting<number> {
  const read = (value: string) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new Error(`write a whole number from ${least} to ${most}`);
  };
  return { fallback: String(fallback), says: `${says} (${least} to ${most})`, read };
}

function choice<T extends string>(fallback: T, choices: readonly T[], says: string): Setting<T> {
  const read = (value: string) => {
    if (choices.includes(value as T)) return value as T;
    throw new Error(`write one of ${choices.join(", ")}`);
  };
  return { fallback, says: `${says} (${choices.join(", ")})`, read };
}

function list<T>(fallback: string, says: string, item: (text: string) => T): Setting<readonly T[]> {
  const read = (value: string) =>
    value
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(item);
  return { fallback, says, read };
}

const hostName = (value: string) => {
  if (/^([a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?\.)+$/i.test(value) && value.length <= 254) return value.toLowerCase();
  throw new Error(`"${value}" is not a full name; write one that ends in a dot, such as ns1.example.net.`);
};
const origin = (value: string) => {
  if (URL.canParse(value) && new URL(value).origin === value) return value;
  throw new Error(`"${value}" is not an origin; write one such as https://app.example.com`);
};
const ttl = (value: string) => {
  if (/^\d{1,10}$/.test(value) && Number(value) <= 2147483647) return Number(value);
  throw new Error(`"${value}" is not a TTL; write seconds from 0 to 2147483647`);
};
const nameServers = (): Setting<readonly string[]> => {
  const names = list(
    "ns1.zonesmith.example. ns2.zonesmith.example.",
    "name servers that a new zone's NS records name",
    hostName,
  );
  const read = (value: string) => {
    const read = names.read(value);
    if (read.length > 0 && read.length <= 13 && new Set(read).size === read.length) return read;
    throw new Error("write one to thirteen different names, each ending in a dot");
  };
  return { ...names, read };
};

const year = 31_536_000;

/** The table of settings, in the order of the README. */
export const settings = {
  HTTP_PORT: whole(4000, 0, 65535, "port of GraphQL and REST; 0 takes a free one"),
  LISTEN: text("127.0.0.1", "address that HTTP listens on"),
  DNS_LISTEN: text("127.0.0.1", "address that DNS listens on, UDP and TCP"),
  DNS_PORT: whole(5300, 0, 65535, "port of DNS; 0 takes a free one"),
  DNS_CONNECTIONS: whole(256, 1, 65535, "TCP connections of DNS at once; beyond that the idlest goes"),
  DNS_TRANSFERS: whole(8, 1, 100, "zone transfers at once, each on a database connection of its own; others wait"),
  DNS_IDLE_SECONDS: whole(10, 1, 3600, "how long a TCP connection of DNS may take to send a message, seconds"),
  DNS_SLOW_READER_SECONDS: whole(30, 1, 3600, "how long a client may take to read 16 KiB of a transfer, seconds"),
  CATALOG_ZONE: {
    ...text("catalog.zonesmith", "name of the catalog zone (RFC 9432) that secondaries learn the zones from"),
    read: (value: string) => hostName(value.endsWith(".") ? value : `${value}.`).slice(0, -1),
  },
  PUBLICATION_LATE_SECONDS: whole(
    60,
    1,
    86400,
    "after how long a change that a secondary does not serve is LATE, seconds",
  ),
  TSIG_WEAK_ALGORITHMS: choice("no", ["no", "yes"], "allow TSIG keys of hmac-sha1 and hmac-md5"),
  DATA_DIR: text("./data", "folder of the embedded PostgreSQL"),
  DATABASE_URL: secret("your own PostgreSQL, instead of the embedded one: postgresql://user:password@host/database"),
  DATABASE_POOL: whole(10, 1, 200, "connections to PostgreSQL"),
  ADMIN_API_KEY: secret("administrator key of the first start, 32 characters or more; made and printed when unset"),
  SECRET_KEY: secret(
    "what TSIG secrets are sealed with in the database, 32 characters or more; unset, they are stored as they are",
  ),
  NAME_SERVERS: nameServers(),
  HOSTMASTER: { ...text("hostmaster.zonesmith.example.", "SOA mailbox of a new zone, as a name"), read: hostName },
  SOA_REFRESH: whole(10800, 1, year, "SOA refresh of a new zone, seconds"),
  SOA_RETRY: whole(3600, 1, year, "SOA retry of a new zone, seconds"),
  SOA_EXPIRE: whole(1209600, 1, year, "SOA expire of a new zone, seconds"),
  SOA_MINIMUM: whole(3600, 0, 86400, "SOA minimum (negative caching) of a new zone, seconds"),
  TTL_CHOICES: list("300,900,1800,3600,7200,14400,28800,43200,86400", "TTLs that REST accepts, seconds", ttl),
  TTL_MIN: { ...text("0", "least TTL that GraphQL, imports and updates accept, seconds"), read: ttl },
  TTL_MAX: { ...text("2147483647", "greatest TTL that GraphQL, imports and updates accept, seconds"), read: ttl },
  RRSET_RECORDS: whole(
    100,
    0,
    4000,
    "most records of one owner and type; 0 is no limit. BIND drops a zone above its own limit, 100",
  ),
  OWNER_TYPES: whole(
    100,
    0,
    4000,
    "most record types at one owner; 0 is no limit. BIND drops a zone above its own limit, 100",
  ),
  TOP_LEVEL_ZONES: { ...choice("no", ["no", "yes"], "allow zones of one label, such as a whole top-level domain") },
  IMPORT_MEGABYTES: whole(256, 1, 65536, "largest master file that may be imported, megabytes"),
  CORS_ORIGINS: list("", "origins whose frontends may call, such as https://app.example.com", origin),
  TRUST_PROXY: whole(0, 0, 10, "number of reverse proxies in front, whose X-Forwarded-For is believed"),
  RATE_LIMIT_KEY: whole(12000, 0, 100_000_000, "requests a minute for one key; 0 is no limit"),
  RATE_LIMIT_ADDRESS: whole(24000, 0, 100_000_000, "requests a minute from one address; 0 is no limit"),
  RATE_LIMIT_WRONG_KEY: whole(30, 0, 100_000_000, "wrong keys a minute from one address; 0 is no limit"),
  LOG_LEVEL: choice(
    "info",
    ["silent", "fatal", "error", "warn", "info", "debug", "trace"],
    "least level that is logged",
  ),
};

/** The configuration: one value per setting, frozen. */
export type Config = { readonly [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]["read"]> };

/** Reads the settings of `environment`; throws one line that names every setting with an invalid value and what to write instead. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  const entries = Object.entries(settings).map(([name, setting]) => {
    try {
      return [name, (setting as Setting<unknown>).read(given(name, setting, environment))];
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`);
      return [name, undefined];
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (faults.length === 0) faults.push(...contradictions(config));
  if (faults.length > 0) throw new Error(`The configuration is not valid. ${faults.join("; ")}.`);
  return Object.freeze(config);
}

function given(name: string, setting: { fallback: string; secret?: boolean }, environment: NodeJS.ProcessEnv): string {
  const file = setting.secret ? environment[`${name}_FILE`] : undefined;
  const value = environment[name];
  if (!file) return value === undefined || value.trim() === "" ? setting.fallback : value.trim();
  if (value) throw new Error(`set either ${name} or ${name}_FILE, not both`);
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new Error(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function contradictions(config: Config): string[] {
  const faults: string[] = [];
  if (config.TTL_MIN > config.TTL_MAX) faults.push("TTL_MIN: write a number that is not above TTL_MAX");
  if (config.TTL_CHOICES.length === 0) faults.push("TTL_CHOICES: write at least one TTL");
  const { ADMIN_API_KEY: key, DATABASE_URL: url } = config;
  if (key !== "" && !/^[\x21-\x7e]{32,256}$/.test(key)) {
    faults.push("ADMIN_API_KEY: write 32 to 256 printable characters without blanks");
  }
  const { SECRET_KEY: seal } = config;
  if (seal !== "" && seal.length < 32) faults.push("SECRET_KEY: write 32 characters or more");
  if (url !== "" && !/^postgres(ql)?:\/\//.test(url))
    faults.push("DATABASE_URL: write postgresql://user:password@host/database");
  return faults;
}
