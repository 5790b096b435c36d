/** Asks a service over REST as curl would, and notes which routes of the table were reached. */
import type { Route } from "../../../src/rest/route-form.ts";
import { routes } from "../../../src/rest/routes.ts";
import type { Answer, RestOptions, TestService } from "./service.ts";

export class Replay {
  readonly #service: TestService;
  readonly #reached = new Set<Route>();

  constructor(service: TestService) {
    this.#service = service;
  }

  /** Sends a request; `path` comes without `/api`. */
  ask(method: string, path: string, form?: RestOptions["form"], options: RestOptions = {}): Promise<Answer> {
    const route = routeOf(method, path);
    if (route) this.#reached.add(route);
    return this.#service.rest(method, path, { ...(form && { form }), ...options });
  }

  /** The routes under these paths that no request has reached. */
  unreached(...under: string[]): string[] {
    return routes
      .filter((route) => !this.#reached.has(route) && under.some((path) => route.path.startsWith(path)))
      .map(({ method, path }) => `${method} ${path}`);
  }
}

function routeOf(method: string, path: string): Route | undefined {
  const { pathname, searchParams } = new URL(path, "http://service.example");
  const query = Object.fromEntries(searchParams);
  return routes.find((route) => {
    const pattern = new RegExp(`^${route.path.replace(/:\w+/g, "[^/]+")}/?$`);
    const isLeft = "list" in route && route.unless?.({ params: {}, query, body: undefined });
    return route.method === method.toLowerCase() && pattern.test(pathname) && !isLeft;
  });
}
