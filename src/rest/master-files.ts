/**
 * Master files over REST, of any size: `GET` exports a zone as a stream, `POST` imports one (text/dns, RFC 4027). They
 * call the functions of the resolvers and run no GraphQL operation, which would hold the whole text in memory.
 */
import { type Request, type Response, Router } from "express";
import { Refusal } from "../errors.ts";
import { inTurn } from "../turns/queues.ts";
import { type ImportData, importResult, restBody, schemaOf } from "./bodies.ts";
import {
  type MomentOfRequest,
  pastMomentOf,
  withMomentNames,
  type ZoneOfRequest,
  zoneOfRequest,
} from "./moment-text.ts";
import { idOfZone, idText, moment, text, yes } from "./parameters.ts";
import { expectAllRead, isYes, queryText } from "./request.ts";
import type { RouteDocs } from "./route-form.ts";
import { sendText } from "./send-text.ts";
import { createWaitForLive, noteEndpoint, type PrepareOperation, refuseOtherMethods } from "./serve.ts";
import { applyPreferredWait, changeNote } from "./write-headers.ts";

/** A master file to import. `userId`, the digits of an id, creates a missing zone for that user. */
interface ZoneFileRequest {
  readonly zone: string;
  readonly text: AsyncIterable<Uint8Array>;
  readonly mode: "MERGE" | "REPLACE";
  readonly userId: string | undefined;
  readonly expectedSerial: number | undefined;
  readonly dryRun: boolean;
  /** Whether unsupported lines are left out instead of refused. */
  readonly skipUnsupported: boolean;
  /** Why the change is made, for the journal. */
  readonly note: string | undefined;
  readonly onProgress?: (progress: object) => void;
}

export interface ZoneFiles {
  /** Without a moment, reads the present zone, or a deleted zone at its deletion. */
  read(zone: ZoneOfRequest, at: MomentOfRequest | undefined, response: Response): Promise<AsyncIterable<string>>;
  write(request: ZoneFileRequest, response: Response): Promise<ImportData>;
}

/** The fields that have another name in the functions that are called. */
const names: Readonly<Record<string, string>> = { userId: "user_id", expectedSerial: "expected_serial" };

/** `maxBytes` is the largest size of a file; `refusalOf` returns the refusal to show for any error. */
interface ZoneFileDeps {
  readonly files: ZoneFiles;
  readonly maxBytes: number;
  readonly prepare: PrepareOperation;
  readonly refusalOf: (error: unknown) => Refusal;
}

export const zoneFileDocs = {
  read: {
    summary: "The zone as a master file (RFC 1035 §5), as it is or as it was",
    query: [
      text("at", `The zone as it was, also of one that was deleted: ${moment}`),
      text("serial", "The same by a serial alone."),
      text("time", "The same by a time alone."),
      idOfZone,
    ],
  },
  write: {
    summary: "Imports a master file as one change, all or nothing",
    query: [
      text("mode", "Whether the file is merged into the zone, or replaces it.", {
        enum: ["merge", "replace"],
        default: "merge",
      }),
      text("user_id", "Creates the zone for the user of this id when it does not exist.", idText),
      {
        name: "expected_serial",
        schema: { type: "integer", minimum: 0, maximum: 4294967295 },
        description: "The serial the zone must be at, such as `X-Zone-Serial` of a dry run; or STALE_SERIAL.",
      },
      yes("dry_run", "Check everything and say what would change, but change nothing."),
      yes("skip_unsupported", "Leave out lines that no zone can hold, with a warning each."),
    ],
    answer: schemaOf("Import"),
    isChange: true,
  },
} as const satisfies Record<string, RouteDocs>;

export function createZoneFiles({ files, maxBytes, prepare, refusalOf }: ZoneFileDeps): Router {
  const router = Router();
  const waitForLive = createWaitForLive(prepare);
  // A file keeps its database connection for as long as its client takes to read or send it.
  router.get("/:zone", noteEndpoint<{ zone: string }>("GET /api/domain/zonefile/:zone"), (request, response) =>
    inTurn("file", async () => {
      const at = pastMomentOf(request);
      const zone = zoneOfRequest(request);
      const name = ["serial", "time"].find((each) => queryText(request, each) !== undefined);
      expectAllRead(request);
      const file = await withMomentNames(() => files.read(zone, at, response), name);
      response.type("text/dns; charset=utf-8");
      await sendText(response, file);
    }),
  );
  const write = async (request: Request<{ zone: string }>, response: Response, onProgress?: (step: object) => void) => {
    try {
      const file = { ...readRequest(request, maxBytes), ...(onProgress && { onProgress }) };
      return await inTurn("file", () => files.write(file, response));
    } catch (error) {
      // A dry run is no write: the audit is not to have it, though it is refused.
      if (request.query.dry_run === "yes") response.locals.isAudited = true;
      // The rest is read and dropped: a client that is still sending receives the refusal.
      request.resume();
      throw error instanceof Refusal ? error.withFieldNames((field) => names[field] ?? field) : error;
    }
  };
  router.post(
    "/:zone",
    noteEndpoint<{ zone: string }>("POST /api/domain/zonefile/:zone"),
    async (request, response) => {
      if (request.get("accept")?.includes(progressType)) {
        await sendProgress(response, (onProgress) => write(request, response, onProgress), refusalOf);
        return;
      }
      const result = await write(request, response);
      if (result.serial !== null) response.set("X-Zone-Serial", String(result.serial));
      if (result.change) {
        const { id } = result.change;
        response.set("X-Change-Id", String(id));
        await applyPreferredWait(waitForLive, String(id), request, response);
      }
      response.json(importResult.view(result));
    },
  );
  router.all("/:zone", refuseOtherMethods(["get", "post"]));
  return router;
}

/** The media type of a response with progress: one JSON text a line, the last with the result. */
const progressType = "application/x-ndjson";

/** Sends the progress of an import, and at last the status and body of a response without progress. */
async function sendProgress(
  response: Response,
  write: (onProgress: (progress: object) => void) => Promise<ImportData>,
  refusalOf: (error: unknown) => Refusal,
): Promise<void> {
  const line = (value: object) => void response.write(`${JSON.stringify(value)}\n`);
  response.type(progressType);
  try {
    line({ status: 200, body: importResult.view(await write((progress) => line({ progress }))) });
  } catch (error) {
    const refusal = refusalOf(error);
    line({ status: refusal.status, body: restBody(refusal) });
  }
  response.end();
}

function readRequest(request: Request<{ zone: string }>, maxBytes: number): ZoneFileRequest {
  if (!request.is("text/dns") || request.get("content-encoding")) {
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", "The body is not a master file; send it as text/dns, not compressed.");
  }
  const mode = queryText(request, "mode") ?? "merge";
  if (mode !== "merge" && mode !== "replace")
    throw new Refusal("INVALID_VALUE", "mode is not valid; write merge or replace.", { field: "mode" });
  const choices = {
    mode: mode === "merge" ? ("MERGE" as const) : ("REPLACE" as const),
    userId: queryText(request, "user_id"),
    expectedSerial: readSerial(queryText(request, "expected_serial")),
    dryRun: isYes("dry_run", queryText(request, "dry_run")),
    skipUnsupported: isYes("skip_unsupported", queryText(request, "skip_unsupported")),
    note: changeNote(request),
  };
  expectAllRead(request);
  return { zone: request.params.zone, text: limited(request, maxBytes), ...choices };
}

function readSerial(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  const message = "expected_serial is not a serial; write the number from 0 to 4294967295 that the zone was at.";
  throw new Refusal("INVALID_VALUE", message, { field: "expected_serial" });
}

async function* limited(request: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes)
      throw new Refusal("TOO_LARGE", `The file is larger than ${maxBytes} bytes; import it in parts.`);
    yield chunk;
  }
}
