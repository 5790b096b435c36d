/** The media type of an answer by the header Accept (RFC 9110 §12.5.1, GraphQL over HTTP). */
import Negotiator from "negotiator";

export const json = "application/json; charset=utf-8";
const graphqlResponse = "application/graphql-response+json; charset=utf-8";
export const eventStream = "text/event-stream";

type AnswerType = typeof json | typeof graphqlResponse | typeof eventStream;

const offered: AnswerType[] = [json, graphqlResponse, eventStream];

/** The largest number of headers whose media type is remembered; each kind of client sends its own. */
const maxHeaders = 200;

/** The longest header that is read, characters, since it is read before authentication. */
const maxLength = 500;

const answerTypes = new Map<string, AnswerType | undefined>();

/** The preferred media type by the header Accept; undefined when none of ours is accepted, or it is too long. */
export function answerTypeFor(accept: string | undefined): AnswerType | undefined {
  if (accept === undefined) return json;
  if (answerTypes.has(accept)) return answerTypes.get(accept);
  if (accept.length > maxLength) return undefined;
  const type = new Negotiator({ headers: { accept } }).mediaType(offered) as AnswerType | undefined;
  if (answerTypes.size >= maxHeaders) answerTypes.clear();
  answerTypes.set(accept, type);
  return type;
}
