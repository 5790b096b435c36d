/**
 * What the page of the service's state asks: what every key sees, and what administrators see besides.
 */
import { queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { OperatorStateQuery, ServiceStateQuery } from "../api/generated/graphql.ts";
import { run } from "../api/run.ts";

const serviceState = graphql(`
  query ServiceState {
    domains(filter: { state: LATE }, first: 10) {
      nodes {
        id zone zoneUnicode
        publication {
          since
          secondaries { state lastError name }
        }
      }
    }
    updateRefusals(first: 5) { nodes { id createdAt zone reason } }
  }
`);

const operatorState = graphql(`
  query OperatorState {
    instances { host pid version startedAt seenAt isAlive isLeader }
    secondaries(first: 100) {
      nodes {
        id name address port
        lastQuery { at answer succeeded }
        lastTsigError { at message }
        joinedAt
        progress { served total }
      }
    }
    users(first: 1) { totalCount }
  }
`);

export type LateZone = NonNullable<ServiceStateQuery["domains"]>["nodes"][number];
export type RefusedUpdate = NonNullable<ServiceStateQuery["updateRefusals"]>["nodes"][number];
export type Instance = NonNullable<OperatorStateQuery["instances"]>[number];
export type Secondary = NonNullable<OperatorStateQuery["secondaries"]>["nodes"][number];

/** How often the state is read again while it is shown, ms. */
const readMs = 5000;

export const serviceStateOptions = queryOptions({
  queryKey: ["service-state"],
  queryFn: ({ signal }) => run(serviceState, {}, signal),
  refetchInterval: readMs,
});

export const operatorStateOptions = queryOptions({
  queryKey: ["operator-state"],
  queryFn: ({ signal }) => run(operatorState, {}, signal),
  refetchInterval: readMs,
});
