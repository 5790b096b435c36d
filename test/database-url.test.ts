import { expect, test } from "@jest/globals";
import { serverUrls } from "../src/database-url.ts";

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
])("%s is refused with what to write", (url, advice) => {
  expect(() => serverUrls(url)).toThrow(advice);
});
