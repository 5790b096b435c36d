/**
 * Subscriptions of the service's events. A stream is closed while the page is hidden, since a browser has six connections for all its
 * tabs. A broken stream is opened again after the waits of connection.ts, or as soon as the service is reached. Events may be missed meanwhile:
 * a sink then reads again.
 */
import { createClient } from "graphql-sse";
import { connectionLostSince, onConnection, wait, waitMs } from "./connection.ts";
import type { TypedDocumentString } from "./generated/graphql.ts";
import { consoleHeaders, noted, noteUnreachable, presentSignIn, type RefusalBody, Refused } from "./run.ts";

interface EventSink<Event> {
  readonly onEvent: (event: Event) => void;
  /** Called when the events begin to come, and when they stop. What came before is missed: the caller reads again. */
  readonly onFollowing?: (isFollowing: boolean) => void;
}

/** Follows a subscription until it is stopped; returns what stops it. */
export function follow<Event, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Event, Variables>,
  variables: Variables,
  sink: EventSink<Event>,
): () => void {
  const stopped = new AbortController();
  void keepOpen(document.toString(), variables, sink as EventSink<unknown>, stopped.signal);
  return () => stopped.abort();
}

async function keepOpen(
  query: string,
  variables: Record<string, unknown>,
  sink: EventSink<unknown>,
  stop: AbortSignal,
): Promise<void> {
  let attempt = 0;
  let reached = new AbortController();
  const forget = onConnection(() => {
    if (connectionLostSince() !== undefined) return;
    attempt = 0;
    reached.abort();
    reached = new AbortController();
  });
  while (!stop.aborted) {
    await shown(stop);
    if (stop.aborted) break;
    const wasOpen = await open(query, variables, sink, stop);
    if (wasOpen === "refused") break;
    if (wasOpen) attempt = 0;
    const ms = waitMs(attempt);
    attempt += 1;
    if (document.visibilityState === "visible") await wait(ms, AbortSignal.any([stop, reached.signal]));
  }
  forget();
}

function shown(stop: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      if (document.visibilityState !== "visible" && !stop.aborted) return;
      document.removeEventListener("visibilitychange", done);
      stop.removeEventListener("abort", done);
      resolve();
    };
    document.addEventListener("visibilitychange", done);
    stop.addEventListener("abort", done);
  });
}

/** Opens the stream until it ends, breaks, or the page is hidden; returns whether it was open, or that it was refused. */
function open(
  query: string,
  variables: Record<string, unknown>,
  sink: EventSink<unknown>,
  stop: AbortSignal,
): Promise<boolean | "refused"> {
  return new Promise((resolve) => {
    const begunIn = presentSignIn();
    let isFollowing = false;
    let isRefused = false;
    const close = () => {
      document.removeEventListener("visibilitychange", onHidden);
      stop.removeEventListener("abort", end);
      if (isFollowing) sink.onFollowing?.(false);
      resolve(isRefused ? "refused" : isFollowing);
    };
    const next = ({ data, errors }: { data?: unknown; errors?: readonly unknown[] | undefined }) => {
      const [error] = (errors ?? []) as { message: string; extensions: RefusalBody }[];
      if (error) {
        // After another sign-in it may succeed.
        isRefused = error.extensions.retryAfter === undefined && error.extensions.code !== "UNAUTHENTICATED";
        noted(new Refused(200, error.message, error.extensions), begunIn);
        return;
      }
      if (data) sink.onEvent(data);
    };
    const failed = (error: unknown) => {
      const { response } = error as { response?: Partial<Response> };
      // An open stream may end alone. When none can be opened, the service does not answer.
      if (!response && !isFollowing) noteUnreachable();
      const ended = { code: "UNAUTHENTICATED" } as const;
      if (response?.status === 401) noted(new Refused(401, "You are not signed in any more.", ended), begunIn);
      close();
    };
    const connected = () => {
      isFollowing = true;
      sink.onFollowing?.(true);
    };
    const settings = { url: "/graphql", singleConnection: false, retryAttempts: 0, headers: consoleHeaders } as const;
    const client = createClient({ ...settings, on: { connected } });
    const end = client.subscribe({ query, variables }, { next, error: failed, complete: close });
    const onHidden = () => document.visibilityState === "hidden" && end();
    document.addEventListener("visibilitychange", onHidden);
    stop.addEventListener("abort", end);
  });
}

/** Acts once for all that begins it within a pause, ms. */
export function collected(pause: number, act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    timer = undefined;
    act();
  };
  return {
    begin() {
      timer ??= setTimeout(end, pause);
    },
    stop: () => clearTimeout(timer),
  };
}
