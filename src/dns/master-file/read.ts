/** Reads a file of records from a stream: a master file in UTF-8 or UTF-16, with or without a byte order mark, or Route 53 JSON. */
import { Malformed, syntaxError } from "../malformed.ts";
import { rootName } from "../name.ts";
import { type MasterFileOptions, MasterFileReader, type MasterItem } from "./parser.ts";
import { route53Records } from "./route53.ts";

type Decoder = InstanceType<typeof TextDecoder>;

export type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** The maximum characters of a JSON file, which is in memory as a whole. */
const maxJsonLength = 32 * 1024 * 1024;

/** Reads a file. It yields problems as items; a file that is not text ends with a problem. */
export async function* readMasterFile(chunks: Chunks, options: MasterFileOptions): AsyncGenerator<MasterItem> {
  const reader = new MasterFileReader(options);
  let line = 1;
  let json: string | undefined;
  let isBegun = false;
  try {
    for await (const text of decoded(chunks)) {
      if (!isBegun && text.trim() !== "") {
        isBegun = true;
        if (text.trimStart().startsWith("{")) json = "";
      }
      if (json !== undefined) {
        json += text;
        if (json.length > maxJsonLength) throw syntaxError("The JSON is larger than 32 MB; send it as a master file.");
        continue;
      }
      for (const item of reader.push(text)) {
        line = item.line;
        yield item;
      }
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    yield { line, problem: error };
    return;
  }
  if (json === undefined) yield* reader.end();
  else yield* readRoute53(json);
}

/** Names in Route 53 are absolute, with or without a trailing dot. */
function* readRoute53(json: string): Generator<MasterItem> {
  const reader = new MasterFileReader({ origin: rootName });
  try {
    for (const { line, text, isRouted } of route53Records(json)) {
      for (const item of reader.record(line, text, isRouted ? ["routing"] : []))
        yield "wire" in item ? { ...item, completed: [] } : item;
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    yield { line: 1, problem: error };
  }
}

/** The text of the chunks without a byte order mark; throws Malformed for octets that are not text. */
async function* decoded(chunks: Chunks): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let head: Uint8Array = new Uint8Array();
  let isFirst = true;
  for await (const chunk of chunks) {
    if (typeof chunk === "string") {
      yield isFirst && chunk.startsWith("\ufeff") ? chunk.slice(1) : chunk;
      isFirst = false;
      continue;
    }
    if (decoder) yield decode(decoder, chunk);
    else {
      // The first two octets determine the encoding.
      head = Buffer.concat([head, chunk]);
      if (head.length < 2) continue;
      decoder = new TextDecoder(encodingOf(head), { fatal: true });
      yield decode(decoder, head);
    }
  }
  if (decoder) yield decode(decoder, new Uint8Array(), false);
  else yield decode(new TextDecoder("utf-8", { fatal: true }), head, false);
}

/** The encoding by the byte order mark, or by the zero octet beside the first character; throws Malformed for two zero octets. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0 && second === 0)
    throw syntaxError(
      "The file is not text. If BIND has written it (masterfile-format raw), " +
        "turn it into text: named-compilezone -f raw -F text -o text.zone ZONE FILE.",
    );
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return "utf-8";
}

function decode(decoder: Decoder, octets: Uint8Array, isMore = true): string {
  try {
    return decoder.decode(octets, { stream: isMore });
  } catch {
    throw syntaxError(
      isMore
        ? "From about this line on the text is not UTF-8; write other octets as \\DDD."
        : "The text ends in the middle of a UTF-8 character.",
    );
  }
}
