/**
 * Takes the events of all zones into the list that is shown: a zone of it is changed in place, or goes where it has left the state that the
 * list is of, and what came is read again. What no event says, such as that zones are late by now, the list reads by itself (zone-queries.ts).
 */
import type { InfiniteData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { follow } from "../api/events.ts";
import { graphql } from "../api/generated/gql.ts";
import type { ZoneListFollowedSubscription, ZoneListQuery } from "../api/generated/graphql.ts";
import { queries, readAgain } from "../api/queries.ts";
import type { ZoneSelection } from "./zone-queries.ts";

const followed = graphql(`
  subscription ZoneListFollowed {
    domainChanged {
      domain { id serial }
      change {
        id createdAt actor
        user { id email }
        appliedBy source note summary kind
      }
      publication {
        state since
        secondaries { state name isJoining }
      }
    }
  }
`);

type Pages = InfiniteData<NonNullable<ZoneListQuery["domains"]>>;
type Event = ZoneListFollowedSubscription["domainChanged"];

/** How long events are collected before the list is read again, ms. */
const collectMs = 1000;
/** How long events are collected before zones are counted again by their states, ms. */
const countMs = 3000;

/** Whether a list of zones of a state holds one that is published so; whether the viewer edits a zone is in no event. */
const holds = (state: ZoneSelection["state"], publication: Event["publication"]) =>
  state === undefined || state === "EDITED" || state === publication.state;

/** The pages with what an event says; undefined when its zone is on none of them. `state` is that of the zones that they list, if it is one. */
function withEvent(pages: Pages, { domain, change, publication }: Event, state: ZoneSelection["state"]) {
  let isShown = false;
  const isListed = holds(state, publication);
  const nodesOf = (nodes: Pages["pages"][number]["nodes"]) =>
    nodes.flatMap((node) => {
      if (node.id !== domain?.id) return [node];
      isShown = true;
      return isListed ? [{ ...node, serial: domain.serial, publication, changes: { nodes: [change] } }] : [];
    });
  const changed = { ...pages, pages: pages.pages.map((page) => ({ ...page, nodes: nodesOf(page.nodes) })) };
  return isShown ? changed : undefined;
}

/** Acts once for all that begins it within a pause, ms. */
function collected(pause: number, act: () => void) {
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

/** Follows all zones while a list of them is shown; returns whether the events come at present. */
export function useZoneListEvents(): boolean {
  const [isFollowing, setFollowing] = useState(true);
  useEffect(() => {
    const listing = collected(collectMs, () => readAgain("zones", "zone-counts"));
    const counting = collected(countMs, () => readAgain("zone-counts"));
    const take = (event: Event) => {
      let isMissing = event.change.kind !== "EDIT";
      for (const [queryKey, pages] of queries.getQueriesData<Pages>({ queryKey: ["zones"], type: "active" })) {
        const { state } = queryKey[1] as ZoneSelection;
        const changed = pages && withEvent(pages, event, state);
        if (changed) queries.setQueryData(queryKey, changed);
        else isMissing ||= state !== "EDITED" && holds(state, event.publication);
      }
      // A list that is not shown is read when it is.
      void queries.invalidateQueries({ queryKey: ["zones"], type: "inactive", refetchType: "none" });
      if (isMissing) listing.begin();
      else counting.begin();
    };
    const stop = follow(
      followed,
      {},
      {
        onEvent: ({ domainChanged }) => take(domainChanged),
        onFollowing: (follows) => {
          setFollowing(follows);
          // Events may be missed before it is open.
          if (follows) listing.begin();
        },
      },
    );
    return () => {
      stop();
      listing.stop();
      counting.stop();
    };
  }, []);
  return isFollowing;
}
