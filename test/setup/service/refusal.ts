/** What every refusal must look like, whatever the request was. */
import { expect } from "@jest/globals";
import { codes } from "../../../src/error-codes.ts";
import type { Answer } from "./service.ts";

/** Nothing of the inside: no stack, no path of the program, no SQL. */
const inside = /node_modules|\bat \S+ \(|file:\/\/|[\\/](src|dist)[\\/]|\.[jt]s:\d|\b(select|insert into)\b.+\bfrom\b/i;

/** Expects that an answer is JSON, is no 5xx, and shows nothing of the inside. */
export function expectCalm(answer: Answer): void {
  expect(answer.text).not.toMatch(inside);
  expect(answer.status).toBeLessThan(500);
  if (answer.text !== "")
    expect(answer.headers.get("content-type")).toMatch(/^application\/(graphql-response\+)?json\b/);
}

/** Expects a refusal of REST in its documented form, with the status that belongs to the word. */
export function expectRefusal(answer: Answer, error: keyof typeof codes, field?: string): void {
  expectCalm(answer);
  expect({ status: answer.status, body: answer.body }).toStrictEqual({
    status: codes[error].status,
    body: {
      code: codes[error].status,
      status: "error",
      message: expect.stringMatching(/^\S.+\.$/s),
      error,
      ...(field !== undefined && { field }),
    },
  });
}

/** Expects a refusal of either front, with the word and the status that belongs to it. */
export function expectRefused(answer: Answer, error: keyof typeof codes): void {
  expectCalm(answer);
  const word = answer.body?.error ?? answer.body?.errors?.[0]?.extensions.code;
  expect({ word, status: answer.status }).toEqual({ word: error, status: codes[error].status });
}
