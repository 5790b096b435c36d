import { resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { readConfig, shownSettings } from "../../../src/config/config.ts";

test("HOSTMASTER is a mailbox: as a name, or as an e-mail address, whose last dot may be missing", () => {
  for (const value of ["hostmaster.example.net.", "hostmaster@example.net.", "Hostmaster@Example.net"])
    expect(readConfig({ HOSTMASTER: value }).HOSTMASTER).toBe("hostmaster.example.net.");
  for (const value of ["hostmaster.example.net", "host.master@example.net.", "@example.net.", "a@b@c."])
    expect(() => readConfig({ HOSTMASTER: value })).toThrow(/HOSTMASTER: .*; write one such as/);
});

test("DELETED_ZONE_GRACE_DAYS is days from 0 to 365, 3 by default", () => {
  expect(readConfig({}).DELETED_ZONE_GRACE_DAYS).toBe(3);
  expect(readConfig({ DELETED_ZONE_GRACE_DAYS: "0" }).DELETED_ZONE_GRACE_DAYS).toBe(0);
  for (const value of ["-1", "1.5", "366", "never"])
    expect(() => readConfig({ DELETED_ZONE_GRACE_DAYS: value })).toThrow(
      "DELETED_ZONE_GRACE_DAYS: write a whole number from 0 to 365",
    );
});

test("settings are shown as they can be read again in any folder, without secrets and passwords", () => {
  const given = {
    ...{ NAME_SERVERS: "ns1.example.net., ns2.example.net.", METRICS_PORT: "9100", DATA_DIR: "data" },
    ...{ TLS_CERT: "cert.pem", TLS_KEY: "key.pem", CATALOG_ZONE: "catalog.example." },
    ...{ SECRET_KEY: "s".repeat(32), OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:password@127.0.0.1:4318" },
  };
  const shown = shownSettings(readConfig(given));
  expect(shown.secrets).toEqual(["SECRET_KEY"]);
  expect(JSON.stringify(shown)).not.toMatch(/ssss|password@/);
  expect(shown.settings).toMatchObject({ DATA_DIR: resolve("data"), TLS_CERT: resolve("cert.pem") });
  const { SECRET_KEY: _secret, OTEL_EXPORTER_OTLP_ENDPOINT: _url, ...others } = given;
  expect(readConfig({ ...shown.settings, OTEL_EXPORTER_OTLP_ENDPOINT: "" })).toEqual(readConfig(others));
});

test.each([
  ["http://user:p@ss@collector:4318", "http://collector:4318"],
  ["https://token@collector/otlp", "https://collector/otlp"],
  ["http:user:p@ss@collector:4318", "http://collector:4318"],
  ["https://collector/otlp?api-key=token#token", "https://collector/otlp"],
  ["https://collector?api-key=token", "https://collector"],
])("the URL %s is shown as %s", (OTEL_EXPORTER_OTLP_ENDPOINT, shown) => {
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT });
  expect(shownSettings(config).settings.OTEL_EXPORTER_OTLP_ENDPOINT).toBe(shown);
});

test("an example that ends in a dot is quoted, so that the dot of the sentence is not part of it", () => {
  const examples = {
    NAME_SERVERS: ["ns1", '"ns1.example.net.".'],
    CATALOG_ZONE: ["a b", '"ns1.example.net.".'],
    HOSTMASTER: ["me", '"hostmaster@example.net".'],
    CORS_ORIGINS: ["app", '"https://app.example.com".'],
  };
  for (const [name, [value, end]] of Object.entries(examples)) {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(end);
    expect(read).not.toThrow(/\.\./);
  }
});

test.each<[string, Record<string, string>, RegExp]>([
  ["a setting with an invalid value", { HTTP_PORT: "http" }, /HTTP_PORT: write a whole number from 0 to 65535/],
  ["several of them", { TTL_MIN: "x", LOG_LEVEL: "loud" }, /TTL_MIN: .*; LOG_LEVEL: .*/],
  [
    "a secret given twice",
    { SECRET_KEY: "a".repeat(32), SECRET_KEY_FILE: "/dev/null" },
    /either SECRET_KEY or SECRET_K/,
  ],
  ["a secret file that is not there", { DATABASE_URL_FILE: "/none" }, /DATABASE_URL_FILE cannot be read \(ENOENT\)/],
  ["a certificate without a key", { TLS_CERT: "cert.pem" }, /TLS_CERT is set without TLS_KEY: set both/],
  ["a key without a certificate", { DNS_TLS_KEY: "key.pem" }, /DNS_TLS_KEY is set without DNS_TLS_CERT: set both/],
  ["DNS over TLS without a certificate", { DNS_TLS_PORT: "853" }, /DNS_TLS_PORT needs a certificate: set TLS_CERT/],
  ["authorities without DNS over TLS", { DNS_TLS_CLIENT_CA: "ca.pem" }, /CLIENT_CA is set without DNS_TLS_PORT/],
  ["transfers by TLS alone without it", { DNS_TRANSFER: "tls" }, /DNS_TRANSFER=tls .* without DNS_TLS_PORT/],
  ["a short administrator key", { ADMIN_API_KEY: "short" }, /ADMIN_API_KEY: write 32 to 256/],
])("%s is refused in one line that names the cure", (_what, environment, line) => {
  expect(() => readConfig(environment)).toThrow(line);
  expect(() => readConfig(environment)).not.toThrow(/\n/);
});
