/** What a shell, curl -d or a form does to data on its way is refused or warned about, never stored silently. */
import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { expectRefusal } from "../../setup/service/refusal.ts";
import { type Answer, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "example.com";
const form = { "Content-Type": "application/x-www-form-urlencoded" };
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  await service.domain(zone, userId);
});

/** Sends the body as `curl -d` does: as it was typed. */
const asTyped = (rtype: string, rdata: string): Promise<Answer> => {
  const body = `zone=${zone}&owner=_k._domainkey&rtype=${rtype}&ttl=3600&rdata=${rdata}`;
  return service.rest("POST", "/record/add", { headers: form, body });
};
let sent = 0;
/** Sends it as it is, for an owner of its own. */
const asForm = (rtype: string, rdata: string): Promise<Answer> =>
  service.rest("POST", "/record/add", { form: { zone, owner: `o${sent++}`, rtype, ttl: 3600, rdata } });

/** 32 octets in base64, as many + as `plus` in it. */
const base64 = "YWJj+GVm/2hpamtsbW5vcHFyc3R1dnd4+XowMTIzNDU=";

/** A DKIM key as opendkim-genkey makes it, and the beginning of another. */
const wholeKey = generateKeyPairSync("rsa", {
  modulusLength: 1024,
  publicKeyEncoding: { type: "spki", format: "der" },
  privateKeyEncoding: { type: "pkcs8", format: "der" },
}).publicKey.toString("base64");
const rsaKey = "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7Aabca";

describe("a + that a form turned into a blank", () => {
  test.each([
    ["DNSKEY", `257 3 13 ${base64}${base64.slice(0, -1)}A=`],
    ["CDNSKEY", `257 3 13 ${base64}`],
    ["CERT", `1 0 0 ${base64}`],
    ["OPENPGPKEY", base64],
    ["IPSECKEY", `10 0 2 . ${base64}`],
    ["TXT", `v=DKIM1; k=ed25519; p=${base64}`],
    ["TXT", `k=rsa; p=${base64}`],
    ["TXT", `"v=DKIM1; k=rsa; " "p=${base64}"`],
  ])("is refused in %s %s, with a way that keeps it", async (rtype, rdata) => {
    const answer = await asTyped(rtype, rdata);
    expectRefusal(answer, "INVALID_RDATA", "rdata");
    expect(answer.body.message).toMatch(/blank inside a group of four.*--data-urlencode/);
  });

  test("is kept where it was encoded, and is no blank between groups of four, where tools wrap", async () => {
    const { status, body } = await asForm("OPENPGPKEY", base64);
    expect([status, body.rdata]).toEqual([201, base64]);
    const wrapped = `${base64.slice(0, 20)} ${base64.slice(20)}`;
    expect((await asForm("CDNSKEY", `257 3 13 ${wrapped}`)).status).toBe(201);
    expect((await asForm("TXT", `v=DKIM1; p=${wrapped}`)).status).toBe(201);
  });

  test("is refused by GraphQL in the same way, and named in the refusal of an e-mail address", async () => {
    const input = { zone, owner: "a", type: "TXT", rdata: `v=DKIM1; p=${base64.replaceAll("+", " ")}` };
    const { errors } = (await service.graphql(mutation("createRecord", "record { id }"), { input })).body;
    expect(errors[0].extensions).toMatchObject({ code: "INVALID_RDATA", field: "rdata" });
    expect(errors[0].message).toMatch(/--data-urlencode/);
    const refused = await service.rest("POST", "/user/add", { form: { email: "rest x@example.com" } });
    expectRefusal(refused, "INVALID_VALUE", "email");
    expect(refused.body.message).toMatch(/If there was a \+, a form turned it into the blank.*--data-urlencode/);
    const other = await service.rest("POST", "/user/add", { form: { email: "no body" } });
    expect(other.body.message).not.toContain("+");
  });
});

describe("a text that was cut", () => {
  const noTag = /^rdata is a .* without (p|id|rua)= \(RFC \d+ §[\d.]+\)\. .*--data-urlencode/;
  const maybe = /^rdata is .* If it was cut .*--data-urlencode/;
  const notBase64 = /^rdata has a p= that is not base64\. /;

  test.each<[string, string, RegExp?]>([
    ...["v=DKIM1", "v=DKIM1;", "v=DKIM1; k=rsa", '"v=DKIM1; k=rsa"', "v=STSv1", "v=TLSRPTv1;"].map(
      (text): [string, string, RegExp] => ["refused", text, noTag],
    ),
    // Where the RFC allows it.
    ...["v=spf1", "v=DMARC1", "v=DMARC1;"].map((text): [string, string, RegExp] => ["warned of", text, maybe]),
    ["warned of", "v=DKIM1; k=rsa; p=MIGf!!A0GCSqGSIb", notBase64],
    ["warned of", `v=DKIM1; k=rsa; p=${rsaKey.slice(0, 45)}`, notBase64],
    ["warned of", `v=DKIM1; p=${rsaKey.slice(0, 44)}`, /RSA key of 33 octets in p=, but its length field says 162\. /],
    ["warned of", "v=DKIM1; p=MIGf", /RSA key of 3 octets/],
    ...["v=DKIM1; p=", "v=DKIM1;p=YWJj", `v=DKIM1; k=rsa; p=${wholeKey}`, "v=DKIM1; k=rsa; t=s; p=YWJjZGVm"].map(
      (text): [string, string] => ["taken", text],
    ),
    ...["v=spf1 -all", "v=DMARC1; p=none", "v=STSv1; id=1", "about p=a b c d"].map((text): [string, string] => [
      "taken",
      text,
    ]),
  ])("is %s: %s", async (...[verdict, rdata, message]) => {
    const answer = await asForm("TXT", rdata);
    if (verdict === "refused") expectRefusal(answer, "INVALID_RDATA", "rdata");
    else expect(answer.status).toBe(201);
    const said = verdict === "refused" ? answer.body.message : answer.headers.get("x-warning");
    expect(said).toEqual(message ? expect.stringMatching(message) : null);
  });

  test("is said of a line of a master file, which is read by its own rules", async () => {
    const file = { headers: { "Content-Type": "text/dns" }, body: "cut 300 TXT v=DKIM1; k=rsa; p=YWJj\n" };
    const { body } = await service.rest("POST", `/domain/zonefile/${zone}?dry_run=yes`, file);
    expect(body.warnings).toEqual([
      "line 1: the text is a DKIM key without p= (RFC 6376 §3.6.1). " +
        "An unquoted semicolon begins a comment, so put the text in quotes.",
    ]);
  });
});

test("data that was cut at a & is accepted with a warning, and other media types are not", async () => {
  const { status, headers, body } = await asTyped("URI", '10 1 "https://target.example/?a=1&b=2"');
  expect([status, body.error]).toEqual([422, "INVALID_RDATA"]);
  expect(headers.get("x-warning")).toBeNull();
  const text = await asTyped("TXT", "first&second=2&third");
  expect([text.status, text.body.rdata]).toEqual([201, '"first"']);
  expect(text.headers.get("x-warning")).toMatch(/does not read \(second, third\); .*--data-urlencode/);
  const json = { zone, owner: "fields", rtype: "TXT", ttl: 3600, rdata: "a&b", other: 1 };
  expect((await service.rest("POST", "/record/add", { json })).headers.get("x-warning")).toBeNull();
});

test("JSON that does not say so is refused as what it is; a form that only begins like it stays a form", async () => {
  const body = JSON.stringify({ email: "new@example.com" });
  for (const [method, path, type] of [
    ["POST", "/user/add", "text/plain"],
    ["DELETE", "/domain/delete/", form["Content-Type"]],
  ] as const) {
    const answer = await service.rest(method, path, { headers: { "Content-Type": type }, body });
    expectRefusal(answer, "UNSUPPORTED_MEDIA_TYPE");
    expect(answer.body.message).toBe(
      `The body is JSON, but its media type is ${type}; send it with Content-Type: application/json.`,
    );
  }
  const untyped = await service.rest("POST", "/user/add", { body: Buffer.from(body) });
  expectRefusal(untyped, "UNSUPPORTED_MEDIA_TYPE");
  expect(untyped.body.message).toMatch(/it has no media type; send it with Content-Type: application\/json\.$/);
  const braced = await service.rest("POST", "/user/add", { headers: form, body: "{x=1&email=brace@example.com" });
  expect(braced.status).toBe(201);
});

test("DELETE takes its field from the query, from both when they agree, and that of a user from the body", async () => {
  const path = "/domain/delete?zone=query.example.net";
  for (const options of [{}, { form: { zone: "query.example.net" } }]) {
    await service.domain("query.example.net", userId);
    expectRefusal(await service.rest("DELETE", path, { form: { zone } }), "INVALID_VALUE", "zone");
    expect((await service.rest("DELETE", path, options)).status).toBe(204);
  }
  const id = await service.user("gone@example.com");
  await service.domain("gone.example.net", id);
  const { status } = await service.rest("DELETE", `/user/delete/${id}`, { form: { domains: "delete" } });
  expect(status).toBe(204);
});

test.each([
  ["GET", "/record/add", "POST"],
  ["POST", "/record/list/", "GET, HEAD"],
  ["PATCH", "/record/edit/1", "PUT"],
  ["PUT", "/domain/zonefile/example.com", "GET, HEAD, POST"],
])("%s %s is 405 with Allow: %s", async (method, path, allow) => {
  const answer = await service.rest(method, path);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
  expectRefusal(answer, "METHOD_NOT_ALLOWED");
});

test("a path that is not there stays 404 by every method, and OPTIONS says what a path takes", async () => {
  for (const method of ["GET", "POST", "PATCH"]) expectRefusal(await service.rest(method, "/record"), "NOT_FOUND");
  const { status, headers } = await service.rest("OPTIONS", "/record/add");
  expect([status, headers.get("allow")]).toEqual([200, "POST"]);
});
