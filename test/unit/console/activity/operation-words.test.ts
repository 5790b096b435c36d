/** The audit tells what was done by a sentence, of whatever it knows. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { buildSchema } from "graphql";
import { attemptOf, operationsWithSentence, sentenceOf } from "../../../../console/activity/operation-words.ts";

const schema = buildSchema(readFileSync(resolve(import.meta.dirname, "../../../../schema.graphql"), "utf8"));
const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});

test("every operation of the audit has a sentence, and none is of an operation that is gone", () => {
  const others = ["authenticate", "signIn", "signOut", "system", "update"];
  expect(operationsWithSentence.toSorted()).toEqual([...mutations, ...others].toSorted());
});

test.each([
  ["createApiKey", { name: "laptop-2", user: "jane@example.com" }, "Key laptop-2 was made for jane@example.com"],
  ["createSecondary", { name: "knot-sin1" }, "knot-sin1 was added"],
  ["createUser", { name: "jane@example.com", user: "jane@example.com" }, "jane@example.com was added"],
  ["deleteWebhook", {}, "A webhook was deleted"],
  ["revokeApiKey", {}, "An API key was revoked"],
  ["commentChangeSet", { name: "Retire the VPN" }, "“Retire the VPN” got a comment"],
  ["/record/add", {}, "/record/add"],
])("%s: %j", (operation, about, sentence) => {
  expect(sentenceOf(operation, about)).toBe(sentence);
});

test.each([
  ["createTsigKey", "Create TSIG key"],
  ["importZone", "Import zone"],
  ["/record/add", "/record/add"],
])("%s was tried: %s", (operation, words) => {
  expect(attemptOf(operation)).toBe(words);
});
