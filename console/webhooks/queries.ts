/**
 * What the pages of webhooks ask of the service.
 */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type {
  WebhookDeliveriesQuery,
  WebhookDeliveryState,
  WebhookListQuery,
  WebhookQuery,
} from "../api/generated/graphql.ts";
import { paged } from "../api/pages.ts";
import { run } from "../api/run.ts";

const webhookList = graphql(`
  query WebhookList($after: String) {
    webhooks(first: 100, after: $after) {
      nodes {
        id name url events zones enabled disabledReason failingSince
        user { id email }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedWebhook = NonNullable<WebhookListQuery["webhooks"]>["nodes"][number];

/** How often the results of messages are read again while they are shown, ms. */
const observedMs = 3000;

export const webhooksOptions = infiniteQueryOptions({
  queryKey: ["webhooks"],
  ...paged,
  queryFn: async ({ pageParam, signal }) => (await run(webhookList, { after: pageParam }, signal)).webhooks,
});

const webhookQuery = graphql(`
  query Webhook($id: ID!) {
    webhook(id: $id) {
      id name url events zones enabled disabledReason failingSince previousSecretUntil createdAt
      user { id email }
    }
  }
`);

export type ShownWebhook = NonNullable<WebhookQuery["webhook"]>;

export const webhookOptions = (id: string) =>
  queryOptions({
    queryKey: ["webhooks", id],
    queryFn: async ({ signal }) => (await run(webhookQuery, { id }, signal)).webhook,
    refetchInterval: observedMs,
  });

const deliveriesQuery = graphql(`
  query WebhookDeliveries($id: ID!, $state: WebhookDeliveryState, $after: String) {
    webhook(id: $id) {
      deliveries(first: 50, after: $after, state: $state) {
        nodes {
          id messageId event zone state createdAt attempts attemptedAt lastStatus lastError deliveredAt deadAt
          payload
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

type Deliveries = NonNullable<NonNullable<WebhookDeliveriesQuery["webhook"]>["deliveries"]>;
export type ListedDelivery = Deliveries["nodes"][number];

export const deliveriesOptions = (id: string, state: WebhookDeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: ["webhooks", id, "deliveries", state ?? ""],
    ...paged,
    queryFn: async ({ pageParam, signal }) =>
      (await run(deliveriesQuery, { id, state: state ?? null, after: pageParam }, signal)).webhook?.deliveries ?? null,
    refetchInterval: observedMs,
  });
