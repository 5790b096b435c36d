/** The one subscription of a page: to one zone, whose present state comes first, or to all that the key sees. */
import { useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import { graphql } from "./generated";
import { isPassing, type Reason, reasonsOf } from "./refusal";

const domainChanged = graphql(`
  subscription DomainChanged($zone: String, $after: String) {
    domainChanged(zone: $zone, after: $after) {
      cursor
      change { id kind }
      domain { id zone serial ...PublicationBadge_domain }
    }
  }
`);

/** How long to wait before an interrupted stream is opened again, ms. */
const pauseMs = 2000;

/** Whether the stream is open, and if not, why it will not be opened again. */
export interface StreamState {
  readonly isOpen: boolean;
  readonly refusal?: Reason;
}

/**
 * Lets events come into the cache, which is all that has to be done with them. The stream of all zones begins once there is a cursor,
 * which was read together with what is shown.
 */
export function useDomainEvents(zone: string | undefined, cursor?: string | null): StreamState {
  const client = useClient();
  const first = useRef(cursor);
  first.current ??= cursor;
  const mayBegin = zone !== undefined || typeof cursor === "string";
  const [state, setState] = useState<StreamState>({ isOpen: true });
  useEffect(() => {
    if (!mayBegin) return;
    let after = first.current;
    let timer: ReturnType<typeof setTimeout>;
    let stream = open();
    function open() {
      return client.subscription(domainChanged, { zone, after }).subscribe(({ data, error, hasNext }) => {
        after = data?.domainChanged.cursor ?? after;
        const refusal = reasonsOf(error).find((reason) => !isPassing(reason));
        setState({ isOpen: hasNext && !refusal, refusal });
        if (!hasNext && !refusal) timer = setTimeout(reopen, pauseMs);
      });
    }
    function reopen() {
      setState({ isOpen: true });
      stream = open();
    }
    return () => {
      clearTimeout(timer);
      stream.unsubscribe();
    };
  }, [client, zone, mayBegin]);
  return state;
}
