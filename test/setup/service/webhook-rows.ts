/**
 * A webhook with messages in every state, as screens show them; none of them is sent.
 */
import type { TestService } from "./service.ts";

/** Makes it, of this name and URL; answers its id. */
export async function addWebhook(service: TestService, name: string, url: string): Promise<string> {
  const events = ["DOMAIN_CREATED", "DOMAIN_DELETED", "DOMAIN_RESTORED", "DOMAIN_TRANSFERRED", "UPDATE_REFUSED"];
  const { id } = (await service.mutate("createWebhook", { name, url, events }, "webhook { id }")).webhook;
  await service.sql(
    `insert into webhook_delivery (webhook_id, message_id, event, zone, payload, created_at, retry_until, attempts, attempted_at,
      last_status, last_error, delivered_at, dead_at)
    select $1, 'msg_' || substr(md5(n::text), 1, 24), event, zone,
      json_build_object('type', event, 'timestamp', now(), 'data', json_build_object('zone', zone, 'userId', '1000000000000016'))::text,
      now() - n * interval '7 minutes', now() + interval '1 day', attempts, now(), status, error,
      case when state = 'delivered' then now() - n * interval '7 minutes' end, case when state = 'dead' then now() end
    from (values
      (5, 'domain.created', 'shop.example.com', 'delivered', 1, 204, null),
      (4, 'domain.deleted', 'old.example.com', 'dead', 17, 503, 'The receiver answered 503.'),
      (3, 'update.refused', 'example.com', 'delivered', 2, 200, null),
      (2, 'domain.transferred', 'customer-of-long-standing.example.org', 'dead', 17, null, 'Its certificate has expired.'),
      (1, 'domain.created', 'new.example.com', 'waiting', 3, null, 'There was no answer within 15 seconds.')
    ) as rows (n, event, zone, state, attempts, status, error) order by n desc`,
    [id],
  );
  return id;
}
