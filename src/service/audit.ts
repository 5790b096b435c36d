/** The audit in the running service: operations that are no mutations, and requests that are refused before they are operations. */
import { audited } from "../audit/audited.ts";
import { askingOf } from "../audit/store-entries.ts";
import { refusalOf } from "../errors.ts";
import type { AnsweredRequest, RequestObserver } from "../http/request-state.ts";
import { signInPath } from "../http/sign-in.ts";
import { type Actor, system } from "../session/authorization.ts";
import type { Session, Source } from "../session/session.ts";
import type { Sessions } from "./sessions.ts";

/** Runs an operation that is no mutation, such as the import of a file, with its entry in the audit. */
export const auditedHere = <Result>(
  session: Session,
  name: string,
  input: unknown,
  run: (inner: Session) => Promise<Result>,
): Promise<Result> => audited(session, { name, input, refusalOf: (error) => refusalOf(error, () => {}) }, run);

/**
 * Adds entries for wrong keys, and for writes that are refused before their operation can store an entry. `mutations` are the names of the
 * mutations in the schema.
 */
export function refusalObserver(sessions: Sessions, mutations: ReadonlySet<string>): RequestObserver {
  const isWrite = (endpoint: string) =>
    mutations.has(endpoint) || /^(several mutations$|(POST|PUT|PATCH|DELETE) )/.test(endpoint);
  const note = ({ path, client, actor }: AnsweredRequest, operation: string, code: string) => {
    const session = sessions.open((actor ?? system) as Actor, sourceOf(path), client);
    const asking = { ...askingOf(session), ...(!actor && { actor: null }), operation };
    const about = { zone: null, subjectId: null, userId: null, field: null };
    sessions.refusals.add({ ...asking, ...about, at: session.now(), source: session.source, code, count: 1 });
  };
  return {
    onRequest() {},
    onAnswered(request) {
      const { refusals: [code] = [], endpoint, actor, isAudited, isWrongKey } = request;
      if (code === undefined || isAudited) return;
      if (isWrongKey) note(request, "authenticate", code);
      else if (actor !== undefined && endpoint !== undefined && isWrite(endpoint)) note(request, endpoint, code);
    },
  };
}

function sourceOf(path: string): Source {
  if (path.startsWith(signInPath)) return "console";
  return path.startsWith("/api") ? "rest" : "graphql";
}
