/** The figures of quotas as they are kept, and as they are when everything is counted. */
import { type QuotaEdits, setUserQuota } from "../../../src/zone/quota/metering.ts";
import type { TestZones } from "./session.ts";

/**
 * What domains and users keep that differs from what there is, figures and the review in force, and the RRsets with two TTLs; none when
 * nothing has drifted.
 */
export async function drift(zones: Pick<TestZones, "sql">): Promise<object[]> {
  const domains = await zones.sql(
    `select d.zone, d.record_count as kept, r.count, d.metered, u.metered as "userIsMetered",
       d.demands, d.review, u.review as "userReview" from domain d left join "user" u on u.id = d.user_id
       cross join lateral (select count(*)::int from zone_record r where r.domain_id = d.id) r
     where d.record_count <> r.count or d.metered <> coalesce(u.metered, false)
       or d.demands <> coalesce(d.review, u.review, 'NONE')`,
  );
  const users = await zones.sql(
    `select u.id, u.metered, q.domains, q.records, owned.* from "user" u left join user_usage q on q.user_id = u.id
       cross join lateral (select count(distinct d.id)::int as "countedDomains", count(r.id)::int as "countedRecords"
         from domain d left join zone_record r on r.domain_id = d.id where d.user_id = u.id) owned
     where (q.user_id is not null) <> u.metered or (q.domains, q.records) <> ("countedDomains", "countedRecords")`,
  );
  const rrsets = await zones.sql(
    "select domain_id, owner, type from zone_record group by 1, 2, 3 having count(distinct ttl) > 1",
  );
  return [...domains, ...users, ...rrsets];
}

export const limit = (zones: TestZones, edits: QuotaEdits, userId = zones.userId) =>
  setUserQuota(zones.session(), userId, edits);
