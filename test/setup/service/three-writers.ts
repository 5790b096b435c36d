/** The same write by each of the three interfaces, and what each of them answers when the database fails. */
import { expect } from "@jest/globals";
import { type Answer, mutation, type TestService } from "./service.ts";
import type { UpdateZone } from "./update-zone.ts";

/** Adds an A record at an owner by REST, by GraphQL, and by an update over TCP; `zones` returns the zone of each. */
export const writers = (
  service: TestService,
  zone: UpdateZone,
  zones = () => ({ rest: zone.name, graphql: zone.name, update: zone.name }),
) => ({
  rest: (owner: string) =>
    service.rest("POST", "/record/add", {
      form: { zone: zones().rest, owner, rtype: "A", rdata: "192.0.2.1", ttl: 300 },
    }),
  graphql: (owner: string) =>
    service.graphql(mutation("createRecord", "record { id }"), {
      input: { zone: zones().graphql, owner, type: "A", rdata: "192.0.2.1" },
    }),
  update: async (owner: string) =>
    (await zone.client.update(zones().update, [`add ${owner} 300 A 192.0.2.1`], { key: zone.key, protocol: "tcp" }))
      .rcode,
});

const message = (reason: string) => new RegExp(`^${reason}; try again in \\d+ s \\(error [0-9a-f-]{36}\\)\\.$`, "i");

/** Expects of each writer that the service is unavailable for this reason. */
export function expectAllUnavailable(
  [rest, graphql, rcode]: readonly [Answer, Answer, string],
  reason: string,
  retryAfter: number,
) {
  expectUnavailable(rest, reason, retryAfter);
  expectUnavailableInGraphql(graphql, reason, retryAfter);
  expect(rcode).toBe("SERVFAIL");
}

/** The id of an error, by which the log has it. */
export const errorId = expect.stringMatching(/^[\da-f-]{36}$/);

/** Expects UNAVAILABLE of REST for this reason, with the seconds of Retry-After. */
export function expectUnavailable(answer: Answer, reason: string, retryAfter: number): void {
  expect([answer.status, answer.headers.get("retry-after"), answer.body]).toEqual([
    503,
    String(retryAfter),
    {
      code: 503,
      status: "error",
      error: "UNAVAILABLE",
      message: expect.stringMatching(message(reason)),
      error_id: errorId,
    },
  ]);
}

/** Expects UNAVAILABLE of a GraphQL operation that ran, with the seconds in its extensions and in Retry-After. */
export function expectUnavailableInGraphql(answer: Answer, reason: string, retryAfter: number): void {
  expect([answer.headers.get("retry-after"), answer.body.errors]).toEqual([
    String(retryAfter),
    [
      expect.objectContaining({
        message: expect.stringMatching(message(reason)),
        extensions: expect.objectContaining({ code: "UNAVAILABLE", retryAfter }),
      }),
    ],
  ]);
}
