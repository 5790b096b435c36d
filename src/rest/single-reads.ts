/**
 * Answers the documented paths that end in the name of one object, on the fast path, with the plan of their operation. Express answers
 * requests with a query, refusals, and domains of many records.
 */
import type { BodyForm } from "./body-form.ts";
import { shortDomainText } from "./body-text.ts";
import type { OneRoute, Route, Variables } from "./route-form.ts";

/** A plan with its values. It returns the text of the answer; undefined when the operation must be executed. */
interface ReadyPlan {
  readonly run: () => Promise<string | undefined>;
  readonly isSearch: boolean;
}

/** Finds the plan of an operation with these variables. */
type FindPlan<Actor> = (variables: Variables, actor: Actor) => ReadyPlan | undefined;

interface SingleRead<Actor> {
  readonly route: OneRoute;
  readonly parameter: string;
  readonly findPlan: FindPlan<Actor>;
}

interface State {
  readonly actor?: unknown;
  /** Whether its plan had no answer. */
  isUnplanned?: boolean;
}

interface Head {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/** Requests of these paths; `prepare` parses an operation at start. */
export function singleReads<Actor>(
  prepare: (operation: string) => FindPlan<Actor>,
  table: readonly Route[],
  form: BodyForm,
) {
  const reads = new Map<string, SingleRead<Actor>>();
  for (const route of table) {
    const [, path, parameter] = /^([^:]*\/):(\w+)$/.exec(route.path) ?? [];
    if (route.method !== "get" || "list" in route || route.headers || !path || !parameter) continue;
    reads.set(`/api${path}`, { route, parameter, findPlan: prepare(route.operation) });
  }
  return ({ method, url = "" }: Head) => {
    const end = url.lastIndexOf("/") + 1;
    const [read, value] = [reads.get(url.slice(0, end)), url.slice(end)];
    if (method !== "GET" || !read || !/^[\w.@-]+$/.test(value)) return undefined;
    const { route, parameter, findPlan } = read;
    const find = (_body: unknown, state: State) => {
      const variables = route.variables({ params: { [parameter]: value }, query: {}, body: undefined });
      const plan = findPlan(variables, state.actor as Actor);
      if (!plan) return undefined;
      const run = async () => {
        const text = await plan.run();
        state.isUnplanned = text === undefined;
        return text === undefined ? undefined : bodyOf(route, JSON.parse(text).data, form);
      };
      return { note: { endpoint: `GET /api${route.path}` }, plan: { run, isSearch: plan.isSearch } };
    };
    return { answerType: "application/json; charset=utf-8", find };
  };
}

/** The body of an object; undefined for a domain of many records. */
function bodyOf(route: OneRoute, data: Record<string, unknown>, form: BodyForm): string | undefined {
  if (route.view) return JSON.stringify(form.one(200, route.view(data)));
  const domain = route.domain?.(data);
  return domain && shortDomainText(domain, form);
}
