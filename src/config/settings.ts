/** The table of settings, which config.ts reads. The table of docs/settings.md is generated from it. */
import { exampleHostmaster, exampleNameServers } from "../session/operator-policy.ts";
import { maxQuota, type QuotaName, quotaKinds } from "../session/quota.ts";
import {
  addressPrefix,
  choice,
  database,
  endpoint,
  hostName,
  integer,
  integerOrZero,
  list,
  mailbox,
  nameServer,
  one,
  optionalInteger,
  origin,
  path,
  type Setting,
  secret,
  share,
  text,
  ttl,
} from "./setting.ts";

const nameServers = (): Setting<readonly string[]> => {
  const names = list(
    exampleNameServers.join(" "),
    "name servers in the NS records of a new zone: the public names of your secondaries; the default serves nothing",
    hostName,
  );
  const parse = (value: string) => {
    const parsed = names.parse(value);
    if (parsed.length > 0 && parsed.length <= 13 && new Set(parsed).size === parsed.length) return parsed;
    throw new Error("write one to thirteen different names, each ending in a dot");
  };
  return { ...names, parse };
};

const quota = (name: QuotaName) =>
  optionalInteger([0, maxQuota], `quota of a user, by default no limit: ${quotaKinds[name].meaning}`);

const secondsPerYear = 31_536_000;

/** The end of the description of a limit that 0 switches off. */
const zeroIsUnlimited = "0 means no limit";

/** The settings, in the order of docs/settings.md. */
export const settings = {
  HTTP_PORT: integer(4000, [0, 65535], "port of GraphQL and REST; 0 takes any free port"),
  LISTEN: text("127.0.0.1", "address that HTTP listens on"),
  TLS_CERT: path(
    "",
    "PEM file of the certificate and its chain; HTTP_PORT then speaks HTTPS alone; read again when it changes: docs/operation.md",
  ),
  TLS_KEY: path("", "PEM file of the key of TLS_CERT, without a passphrase"),
  HSTS_SECONDS: integer(
    secondsPerYear,
    [0, 2 * secondsPerYear],
    "time for which a browser, after a visit by HTTPS, uses only HTTPS for every port of this host (Strict-Transport-Security), seconds; 0 sends no such header",
  ),
  DNS_LISTEN: text("127.0.0.1", "address that DNS listens on, UDP, TCP and TLS"),
  DNS_PORT: integer(5300, [0, 65535], "port of DNS; 0 takes any free port"),
  DNS_TLS_PORT: optionalInteger(
    [0, 65535],
    "port of DNS over TLS, for zone transfers (RFC 9103), 853 by its standard; when unset, there is none; 0 takes any free port",
  ),
  DNS_TLS_CERT: path("", "PEM file of the certificate of DNS over TLS; when unset, TLS_CERT and TLS_KEY"),
  DNS_TLS_KEY: path("", "PEM file of the key of DNS_TLS_CERT, without a passphrase"),
  DNS_TLS_CLIENT_CA: path(
    "",
    "PEM file of authorities: every client of DNS over TLS needs a certificate that one of them has signed; when unset, clients need none",
  ),
  DNS_TRANSFER: choice("any", ["any", "tls"], "how zones are transferred: over TCP or TLS, or over TLS alone"),
  DNS_CONNECTIONS: integer(
    256,
    [1, 65535],
    "TCP and TLS connections of DNS; above this number, a connection of the network with the most is closed; those of secondaries and key holders are closed last",
  ),
  DNS_TRANSFERS: integer(
    8,
    [1, 100],
    "concurrent zone transfers that read the database, each on a connection of its own; at most half are for one secondary, half for all other clients together, a quarter for one user; the rest wait",
  ),
  DNS_IDLE_SECONDS: integer(
    10,
    [1, 3600],
    "time to receive the next message on a TCP or TLS connection of DNS, seconds",
  ),
  DNS_SLOW_READER_SECONDS: integer(
    30,
    [1, 3600],
    "time within which the client of a transfer must have read something, as far as the system shows it, seconds; while the transfer reads the database, the client must also read 4 MiB on average in that time, a secondary 512 KiB",
  ),
  CATALOG_ZONE: one(
    "catalog.zonesmith",
    "name of the catalog zone (RFC 9432), from which secondaries learn the zones; no zone is created above or below it",
    (value: string) => hostName(value.endsWith(".") ? value : `${value}.`).slice(0, -1),
  ),
  CATALOG_MEMBERS_MAX: integer(
    0,
    [0, 10_000_000],
    "members of a catalog zone; with more zones there are further catalogs, 2.catalog.zonesmith and so on, for which every secondary needs a new stanza; 0 is no limit",
  ),
  PUBLICATION_LATE_SECONDS: integer(
    60,
    [1, 86400],
    "time after which a change that a required secondary does not serve is LATE, seconds",
  ),
  RESOLVER: one(
    "",
    "address of a resolver, such as 127.0.0.1 or [::1]:5353, through which the parents and name servers of zones are found and asked, over TCP, once a day and by zonesmith check --servers; unset: they are not asked",
    nameServer,
  ),
  RESTORE_POLICY: choice(
    "automatic",
    ["automatic", "confirm"],
    "after a restored backup: publish zones to secondaries that have lost changes at once, or hold them until confirmRestore",
  ),
  TSIG_WEAK_ALGORITHMS: choice("no", ["no", "yes"], "allow TSIG keys of hmac-sha1 and hmac-md5"),
  DATA_DIR: path(
    "./data",
    "folder of the embedded PostgreSQL, the first administrator key and service.json; with DATABASE_URL, nothing is written unless it is set",
  ),
  DATABASE_URL: database(
    "PostgreSQL to use instead of the embedded one: postgresql://user:password@host/database, or user:password@host1:5432,host2:5432/database, whichever of them is the primary",
  ),
  DATABASE_OWNER_URL: database(
    "URL of the database of DATABASE_URL with the role that owns the tables and migrates them; the role of DATABASE_URL may then be one that only adds to the audit: docs/operation.md",
  ),
  DATABASE_READ_URL: database(
    "standbys of the PostgreSQL at DATABASE_URL that answer most lists and searches, transfers of small zones, and DNS: postgresql://user:password@host1:5432,host2:5432/database; docs/high-availability.md",
  ),
  WORKERS: integer(
    1,
    [1, 64],
    "processes that answer HTTP and DNS on the same ports, one for each core to use; they share DATABASE_POOL, DNS_TRANSFERS and DNS_CONNECTIONS",
  ),
  DATABASE_POOL: integer(
    10,
    [1, 200],
    "connections to PostgreSQL for requests; besides them 8 and DNS_TRANSFERS for the name server, 1 to follow the journal, 1 for metrics, 13 for statements that share connections, for each of WORKERS",
  ),
  ADMIN_API_KEY: secret(
    "administrator key of the first start, 32 to 256 characters; when unset, one is created and shown",
  ),
  SECRET_KEY: secret(
    "key that encrypts secrets of TSIG keys and webhooks in the database, 32 characters or more; when unset, they are stored in the clear",
  ),
  NAME_SERVERS: nameServers(),
  HOSTMASTER: one(exampleHostmaster, "SOA mailbox of a new zone, as a name or as an e-mail address", mailbox),
  DEFAULT_TEMPLATE: text(
    "",
    "name of the shared template from which REST and GraphQL make new zones; when unset, they have SOA, NS and www",
  ),
  SOA_REFRESH: integer(10800, [1, secondsPerYear], "SOA refresh of a new zone, seconds"),
  SOA_RETRY: integer(3600, [1, secondsPerYear], "SOA retry of a new zone, seconds"),
  SOA_EXPIRE: integer(1209600, [1, secondsPerYear], "SOA expire of a new zone, seconds"),
  SOA_MINIMUM: integer(3600, [0, 86400], "SOA minimum (negative caching) of a new zone, seconds"),
  TTL_CHOICES: list("300,900,1800,3600,7200,14400,28800,43200,86400", "TTLs that REST accepts, seconds", ttl),
  TTL_MIN: { ...text("0", "smallest TTL that GraphQL, imports and updates accept, seconds"), parse: ttl },
  TTL_MAX: { ...text("2147483647", "largest TTL that GraphQL, imports and updates accept, seconds"), parse: ttl },
  RRSET_RECORDS: integer(
    100,
    [0, 4000],
    `records of one owner and type; ${zeroIsUnlimited}. BIND rejects a zone above its own limit, 100`,
  ),
  OWNER_TYPES: integer(
    100,
    [0, 4000],
    `record types at one owner; ${zeroIsUnlimited}. BIND rejects a zone above its own limit, 100`,
  ),
  TOP_LEVEL_ZONES: choice(
    "no",
    ["no", "yes"],
    "allow administrators zones of one label, such as a whole top-level domain",
  ),
  DELETED_ZONE_GRACE_DAYS: integer(
    3,
    [0, 365],
    "days for which the name of a deleted zone is kept for its user; an administrator may always create it",
  ),
  QUOTA_DOMAINS: quota("domains"),
  QUOTA_DOMAIN_RECORDS: quota("recordsPerDomain"),
  QUOTA_RECORDS: quota("records"),
  QUOTA_CHANGES: quota("changesPerDay"),
  CHANGE_SET_ZONES: integer(1000, [1, 4000], "zones of one change set of mode ALL"),
  CHANGE_SET_RECORDS: integer(
    100_000,
    [1, 1_000_000],
    "edits of one change set of mode ALL; one of mode EACH_ZONE has at most 1000000",
  ),
  CHANGE_SETS_OPEN: integer(
    100,
    [1, 100_000],
    "change sets of one user that are not over, apart from those that administrators create",
  ),
  CHANGE_SET_DAYS: integer(
    30,
    [1, 3650],
    "days after which a change set ends that is not scheduled and that nobody has touched",
  ),
  ENDED_CHANGE_SET_DAYS: integerOrZero(
    365,
    [1, 36_500],
    "days for which a change set that is over (applied, cancelled or expired) is kept after the last action on it; 0 keeps it for ever",
  ),
  SCHEDULE_GRACE: integer(
    300,
    [1, 86_400],
    "seconds after which a late scheduled change set counts as missed; it is then skipped where its schedule says so",
  ),
  JOURNAL_DAYS: integerOrZero(
    365,
    [1, 36_500],
    "days for which the changes of a zone are kept; the newest 100 of each zone always are; 0 keeps all for ever",
  ),
  DELETED_ZONE_DAYS: integerOrZero(
    365,
    [1, 36_500],
    "days for which a deleted zone is kept with its history and can be restored; 0 keeps it for ever",
  ),
  AUDIT_DAYS: integerOrZero(365, [30, 36_500], "days for which entries of the audit are kept; 0 keeps them for ever"),
  IMPORT_MEGABYTES: integer(256, [1, 65536], "size of a master file that may be imported, megabytes"),
  IMPORT_RECORDS: integer(2_000_000, [1, 100_000_000], "records of a master file that may be imported"),
  WEBHOOK_PRIVATE_ADDRESSES: list(
    "",
    "addresses and prefixes outside of the public internet that webhooks may have, over http too, such as 10.1.0.0/16",
    addressPrefix,
  ),
  REST_ENVELOPE: choice(
    "none",
    ["none", "restknot"],
    "bodies of REST as documented, or as clients of RESTKnot's code expect them: docs/restknot.md",
  ),
  CONSOLE: choice("on", ["on", "off"], "serve the web console at /console/"),
  SIGN_IN_HOURS: integer(12, [1, 720], "hours after which a browser that signed in has to do so again"),
  CORS_ORIGINS: list("", "origins of browser frontends that may call, such as https://app.example.com", origin),
  TRUST_PROXY: integer(0, [0, 10], "number of reverse proxies in front whose X-Forwarded-For is trusted"),
  RATE_LIMIT_KEY: integer(12000, [0, 100_000_000], `requests per minute with one key; ${zeroIsUnlimited}`),
  RATE_LIMIT_ADDRESS: integer(24000, [0, 100_000_000], `requests per minute from one address; ${zeroIsUnlimited}`),
  RATE_LIMIT_WRONG_KEY: integer(30, [0, 100_000_000], `wrong keys per minute from one address; ${zeroIsUnlimited}`),
  IN_FLIGHT_KEY: integer(
    100,
    [0, 100_000],
    `requests in progress with all keys of one user, or with one administrator's key, half of them streams or searches at most; ${zeroIsUnlimited}`,
  ),
  IN_FLIGHT_ADDRESS: integer(400, [0, 100_000], `requests in progress from one address; ${zeroIsUnlimited}`),
  LIST_TIMEOUT_MS: integer(
    10_000,
    [1, 60_000],
    "time that the database may take for the rows of one list or search, milliseconds",
  ),
  HTTP_SLOW_READER_SECONDS: integer(30, [1, 3600], "time a client may leave an answer unread, seconds"),
  METRICS_PORT: optionalInteger(
    [0, 65535],
    "port of its own for /metrics, which Prometheus scrapes; when unset, there is none; 0 takes any free port",
  ),
  METRICS_LISTEN: text("127.0.0.1", "address that METRICS_PORT listens on"),
  METRICS_KEY: secret(
    "key with which /metrics is served at HTTP_PORT too (Authorization: Bearer), 32 to 256 characters; METRICS_PORT then asks for it as well",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: one(
    "",
    "URL of an OpenTelemetry collector that takes traces by OTLP over HTTP, such as http://127.0.0.1:4318; unset: no traces",
    endpoint,
  ),
  OTEL_TRACES_SAMPLER_ARG: one(
    "1",
    "share of the traces that are sent, where the client of a request has not decided it (0 to 1)",
    share,
  ),
  LOG_LEVEL: choice(
    "info",
    ["silent", "fatal", "error", "warn", "info", "debug", "trace"],
    "lowest level that is logged",
  ),
};
