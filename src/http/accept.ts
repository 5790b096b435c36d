/** The media type of an answer by what the client accepts (RFC 9110 §12.5.1, GraphQL over HTTP). */
import Negotiator from "negotiator";

export const json = "application/json; charset=utf-8";
const graphqlResponse = "application/graphql-response+json; charset=utf-8";
export const eventStream = "text/event-stream";

/** The media type of the answer to an operation. */
export type AnswerType = typeof json | typeof graphqlResponse | typeof eventStream;

const offered: AnswerType[] = [json, graphqlResponse, eventStream];

/** Headers whose media type is remembered, which are few, since each kind of client sends its own. */
const maxHeaders = 200;

/** The length of a header that is read, characters: it is read before a key is asked for. */
const maxLength = 500;

const answerTypes = new Map<string, AnswerType | undefined>();

/** The media type that a client prefers by its header Accept; undefined when it takes none of them, or the header is long. */
export function answerTypeFor(accept: string | undefined): AnswerType | undefined {
  if (accept === undefined) return json;
  if (answerTypes.has(accept)) return answerTypes.get(accept);
  if (accept.length > maxLength) return undefined;
  const type = new Negotiator({ headers: { accept } }).mediaType(offered) as AnswerType | undefined;
  if (answerTypes.size >= maxHeaders) answerTypes.clear();
  answerTypes.set(accept, type);
  return type;
}
