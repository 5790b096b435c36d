/**
 * Takes the events of all zones into the list: a zone that is shown is changed in place, and what came or went is read again.
 */
import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { follow } from "../api/events.ts";
import { graphql } from "../api/generated/gql.ts";
import type { ZoneListFollowedSubscription, ZoneListQuery } from "../api/generated/graphql.ts";

const followed = graphql(`
  subscription ZoneListFollowed {
    domainChanged {
      domain {
        id
        serial
      }
      change {
        id
        createdAt
        actor
        user {
          id
          email
        }
        appliedBy
        door
        kind
      }
      publication {
        state
        secondaries {
          state
          secondary {
            name
          }
        }
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

/** The pages with what an event says; undefined when its zone is on none of them. */
export function withEvent(pages: Pages, { domain, change, publication }: Event): Pages | undefined {
  let isShown = false;
  const nodesOf = (nodes: Pages["pages"][number]["nodes"]) =>
    nodes.map((node) => {
      if (node.id !== domain?.id) return node;
      isShown = true;
      return { ...node, serial: domain.serial, publication, changes: { nodes: [change] } };
    });
  const changed = { ...pages, pages: pages.pages.map((page) => ({ ...page, nodes: nodesOf(page.nodes) })) };
  return isShown ? changed : undefined;
}

/** Follows all zones while a list of them is shown; returns whether the events come at present. */
export function useZoneListEvents(): boolean {
  const queries = useQueryClient();
  const [isFollowing, setFollowing] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readAgain = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: ["zones"] });
        void queries.invalidateQueries({ queryKey: ["zone-counts"] });
      }, collectMs);
    };
    let countTimer: ReturnType<typeof setTimeout> | undefined;
    const countAgain = () => {
      countTimer ??= setTimeout(() => {
        countTimer = undefined;
        void queries.invalidateQueries({ queryKey: ["zone-counts"] });
      }, countMs);
    };
    const take = (event: Event) => {
      let isShown = false;
      queries.setQueriesData<Pages>({ queryKey: ["zones"] }, (pages) => {
        const changed = pages && withEvent(pages, event);
        isShown ||= changed !== undefined;
        return changed ?? pages;
      });
      if (!isShown || event.change.kind !== "EDIT") readAgain();
      else countAgain();
    };
    let wasFollowing = false;
    const stop = follow(
      followed,
      {},
      {
        onEvent: ({ domainChanged }) => take(domainChanged),
        onFollowing: (follows) => {
          setFollowing(follows);
          if (follows && wasFollowing) readAgain();
          wasFollowing ||= follows;
        },
      },
    );
    return () => {
      stop();
      clearTimeout(timer);
      clearTimeout(countTimer);
    };
  }, [queries]);
  return isFollowing;
}
