/**
 * The difference of two moments of a zone over REST, of any size, as text in the manner of `diff -u`. It calls the
 * function of the resolver and runs no GraphQL operation, which would hold the whole text in memory.
 */
import { type Response, Router } from "express";
import { Refusal } from "../errors.ts";
import { inTurn } from "../turns/queues.ts";
import { type MomentOfRequest, momentOf, withMomentNames, type ZoneOfRequest, zoneOfRequest } from "./moment-text.ts";
import { idOfZone, moment, required, text } from "./parameters.ts";
import { expectAllRead } from "./request.ts";
import type { RouteDocs } from "./route-form.ts";
import { sendText } from "./send-text.ts";
import { noteEndpoint, refuseOtherMethods } from "./serve.ts";

/**
 * Reads the difference of two moments for the actor of a response; without `to`, the difference to the present. When
 * the zone was created after `from`, a header of the response says so.
 */
export type ReadDifference = (
  zone: ZoneOfRequest,
  from: MomentOfRequest,
  to: MomentOfRequest | undefined,
  response: Response,
) => Promise<AsyncIterable<string>>;

export const differenceDocs: RouteDocs = {
  summary: "The difference of two moments of a zone, as text in the manner of `diff -u`",
  query: [
    required(text("from", `The moment that it is from: ${moment}`)),
    text("to", `The moment that it leads to, the present without it: ${moment}`),
    idOfZone,
  ],
};

export function createDifferences(read: ReadDifference): Router {
  const router = Router();
  router.get("/:zone", noteEndpoint<{ zone: string }>("GET /api/domain/diff/:zone"), (request, response) =>
    inTurn("file", async () => {
      const from = momentOf(request, "from");
      const to = momentOf(request, "to");
      const zone = zoneOfRequest(request);
      expectAllRead(request);
      if (!from)
        throw new Refusal("MISSING_FIELD", "from is missing; write the moment that the difference is from.", {
          field: "from",
        });
      const difference = await withMomentNames(() => read(zone, from, to, response));
      response.type("text/x-diff; charset=utf-8");
      await sendText(response, difference);
    }),
  );
  router.all("/:zone", refuseOtherMethods(["get"]));
  return router;
}
