/** The one subscription of a page: to one zone, whose present state comes first, or to all that the key sees. */
import { useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import { graphql } from "./generated";
import { isPassing, reasonsOf } from "./refusal";

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

/**
 * Lets events come into the cache, which is all that has to be done with them; returns whether the stream is open. That of all zones
 * begins once there is a cursor, which was read together with what is shown.
 */
export function useDomainEvents(zone: string | undefined, cursor?: string | null): boolean {
  const client = useClient();
  const first = useRef(cursor);
  first.current ??= cursor;
  const mayBegin = zone !== undefined || typeof cursor === "string";
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    if (!mayBegin) return;
    let after = first.current;
    let timer: ReturnType<typeof setTimeout>;
    let stream = open();
    function open() {
      return client.subscription(domainChanged, { zone, after }).subscribe(({ data, error, hasNext }) => {
        after = data?.domainChanged.cursor ?? after;
        setOpen(hasNext);
        if (!hasNext && reasonsOf(error).every(isPassing)) timer = setTimeout(reopen, pauseMs);
      });
    }
    function reopen() {
      setOpen(true);
      stream = open();
    }
    return () => {
      clearTimeout(timer);
      stream.unsubscribe();
    };
  }, [client, zone, mayBegin]);
  return isOpen;
}
