import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { serverConfig, serverUrls } from "../../../src/database/database-url.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";

const folder = temporaryFolder();
const authority = join(folder, "ca.pem");
writeFileSync(authority, "a certificate");

test.each<[url: string, servers: readonly string[]]>([
  ["postgresql://u:p@db/zonesmith", ["postgresql://u:p@db/zonesmith"]],
  ["postgres://u:p@%2Frun%2Fpostgresql:5432/z", ["postgres://u:p@%2Frun%2Fpostgresql:5432/z"]],
  ["postgresql://u:a,b@db:6432/z?sslmode=require", ["postgresql://u:a,b@db:6432/z?sslmode=require"]],
  ["postgresql://u:p@db1:5432,db2:5433/z", ["postgresql://u:p@db1:5432/z", "postgresql://u:p@db2:5433/z"]],
  [
    "postgresql://u:a@b,c@db1,[2001:db8::2]:5433/z?target_session_attrs=read-write",
    [
      "postgresql://u:a@b,c@db1/z?target_session_attrs=read-write",
      "postgresql://u:a@b,c@[2001:db8::2]:5433/z?target_session_attrs=read-write",
    ],
  ],
  [
    "postgresql://db1,db2/z?target_session_attrs=primary",
    ["db1", "db2"].map((name) => `postgresql://${name}/z?target_session_attrs=primary`),
  ],
])("%s names its servers", (url, servers) => {
  expect(serverUrls(url)).toEqual(servers);
});

test.each<[url: string, advice: RegExp]>([
  ["mysql://u:p@db/z", /^write postgresql:/],
  ["db1,db2", /^write postgresql:/],
  ["postgresql://u:p@db1,/z", /^"" is not a server; write host or host:port/],
  ["postgresql://u:p@db1:0,db2/z", /^"db1:0" is not a server/],
  ["postgresql://u:p@db1,db2:65536/z", /^"db2:65536" is not a server/],
  ["postgresql://u:p@db 1,db2/z", /^"db 1" is not a server/],
  ["postgresql://u:p@db1,db1/z", /each of them once/],
  [`postgresql://${Array.from({ length: 17 }, (_, n) => `db${n}`).join(",")}/z`, /at most 16 servers/],
  ["postgresql://u:p@db/z?target_session_attrs=any", /^write target_session_attrs=read-write or leave it out/],
  ["postgresql://db1,db2/z?target_session_attrs=standby", /^write target_session_attrs=read-write/],
  ["postgresql:///z?host=db1,db2", /^write several servers as/],
  ["postgresql://u:p@db/z?sslmode=prefer", /^write sslmode=disable, require, verify-ca or verify-full/],
  ["postgresql://u:p@db/z?sslmode=yes", /^write sslmode=disable, require/],
  ["postgresql://u:p@db/z?sslmode=verify-ca", /^write sslrootcert=/],
])("%s is refused with what to write", (url, advice) => {
  expect(() => serverUrls(url)).toThrow(advice);
});

test.each<[url: string, config: object]>([
  ["postgresql://u:a%40b@db:6432/z", { host: "db", port: 6432, user: "u", password: "a@b", database: "z" }],
  ["postgresql:///z?host=/run/postgresql", { host: "/run/postgresql", database: "z" }],
  [
    "postgresql://u@[2001:db8::2]/z?application_name=dns&options=-c%20work_mem%3D8MB&connect_timeout=5",
    { host: "2001:db8::2", user: "u", database: "z", application_name: "dns", options: "-c work_mem=8MB" },
  ],
  ["postgresql://db/z?sslmode=disable", { host: "db", database: "z", ssl: false }],
  ["postgresql://db/z?sslmode=require", { host: "db", database: "z", ssl: { rejectUnauthorized: false, host: "db" } }],
  ["postgresql://db/z?sslmode=verify-full", { host: "db", database: "z", ssl: { host: "db" } }],
  [
    `postgresql://db/z?sslmode=verify-full&sslrootcert=${authority}`,
    { host: "db", database: "z", ssl: { ca: "a certificate", host: "db" } },
  ],
  [
    `postgresql://db/z?sslmode=verify-ca&sslrootcert=${authority}`,
    { host: "db", database: "z", ssl: { ca: "a certificate", checkServerIdentity: expect.any(Function), host: "db" } },
  ],
])("%s says how to connect, as libpq reads it", (url, config) => {
  expect(serverConfig(url)).toEqual(config);
});

test.each<[url: string, advice: RegExp]>([
  ["postgresql://u:p@db", /^write the name of the database/],
  ["postgresql://u:p#q@db/z", /special characters of the password as %40 for @$/],
  ["postgresql://u:p%q@db/z", /special characters of the password as %40 for @$/],
  ["postgresql://u:p@db:65536/z", /^write postgresql:/],
  ["postgresql://db/z?sslmode=verify-full&sslrootcert=/nowhere/ca.pem", /^\/nowhere\/ca.pem cannot be read \(ENOENT\)/],
])("%s does not say how to connect, but what to write is said", (url, advice) => {
  expect(() => serverConfig(url)).toThrow(advice);
});
