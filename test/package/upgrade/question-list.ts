/** The questions that a version is asked when its answers are recorded: every list, every zone, every change, every key. */
import { query } from "../../setup/database/database.ts";
import type { Json } from "../../setup/service/client.ts";
import type { Question, Setup } from "./questions.ts";

/** Lists the questions. Transfers come last, since the service notes them at the secondary. */
export async function questionsOf(
  databaseUrl: string,
  ask: (question: Question) => Promise<Json>,
  setup: Setup,
): Promise<Question[]> {
  const rest = (key: string | null, path: string): Question => ({ rest: { key, path } });
  const graphql = (key: string, operation: string, variables = {}): Question => ({
    graphql: { key, operation, variables },
  });
  const administrator = "administrator";
  const { domains } = await ask(graphql(administrator, "Domains"));
  const zones: string[] = domains.nodes.map(({ zone }: Json) => zone);
  const [{ first, last } = { first: 0, last: 0 }] = await query<{ first: number; last: number }>(
    databaseUrl,
    "select min(id)::float8 as first, max(id)::float8 as last from change",
  );
  const changes = [...Array(last - first + 1).keys()].map((at) => String(first + at));
  const users = ["alice", "bob", "carol"];
  const lists = ["/user/list", "/domain/list", "/record/list"];
  const form = { zone: "example.com", owner: "denied", rtype: "A", rdata: "192.0.2.1", ttl: "300" };
  return [
    ...[null, ...Object.keys(setup.apiKeys)].map((key) => rest(key, "/user/list")),
    ...["alice, read-only", "bob"].map(
      (key): Question => ({ rest: { key, method: "POST", path: "/record/add" }, form }),
    ),
    ...[administrator, ...users].flatMap((key) => lists.map((path) => rest(key, path))),
    ...["/domain/list?zone=xn--bcher-kva.example", "/record/list?type=TXT", "/domain/zonefile/example.com"].flatMap(
      (path) => [rest(administrator, path), rest("alice", path)],
    ),
    ...zones.map((zone) => rest(administrator, `/domain/zonefile/${encodeURIComponent(zone)}`)),
    ...(await lookups(ask)).map((path) => rest(administrator, path)),
    ...changes.filter((_, at) => at % 20 === 0).map((id) => rest(administrator, `/change/${id}`)),
    ...["Users", "ApiKeys", "UpdateRefusals", "Domains"].flatMap((operation) =>
      [administrator, ...users].map((key) => graphql(key, operation)),
    ),
    ...["ChangeSets", "Templates", "Webhooks", "NotesAndLabels"].flatMap((operation) =>
      [administrator, "alice"].map((key) => graphql(key, operation)),
    ),
    ...["TsigKeys", "Secondaries", "CatalogHold"].flatMap((operation) =>
      [administrator, "alice"].map((key) => graphql(key, operation)),
    ),
    ...["LIVE", "LATE"].map((state) => graphql(administrator, "DomainsOfState", { state })),
    ...zones.map((zone) => graphql(administrator, "Records", { zone })),
    ...zones.map((zone) => graphql(administrator, "Changes", { zone })),
    ...changes.map((id) => graphql(administrator, "Change", { id })),
    ...changes.filter((_, at) => at % 10 === 0).map((id) => graphql("alice", "Change", { id })),
    ...(await transfers(zones, setup, ask)),
  ];
}

/** Paths that answer one user, one domain or one record. */
async function lookups(ask: (question: Question) => Promise<Json>): Promise<string[]> {
  const list = async (path: string): Promise<Json[]> => (await ask({ rest: { key: "administrator", path } })).body;
  const [users, domains, records] = [await list("/user/list"), await list("/domain/list"), await list("/record/list")];
  return [
    ...users.flatMap(({ id, email }) => [
      `/user/list/${id}`,
      `/user/list?email=${encodeURIComponent(email)}`,
      `/domain/list/user/${id}`,
    ]),
    ...domains
      .slice(0, 3)
      .flatMap(({ zone_id: id, zone }) => [`/domain/list/zone/${id}`, `/domain/list/zone/${encodeURIComponent(zone)}`]),
    ...records.filter((_, at) => at % 50 === 0).map(({ id }) => `/record/list/${id}`),
  ];
}

/** Every zone whole, and since its first serial; the same by keys of every algorithm, and by those that may not. */
async function transfers(
  zones: string[],
  setup: Setup,
  ask: (question: Question) => Promise<Json>,
): Promise<Question[]> {
  const { tsigKey: key, catalog, zone: other } = setup.writes;
  const since: Question[] = [];
  for (const zone of zones) {
    const { domain } = await ask({ graphql: { key: "administrator", operation: "Changes", variables: { zone } } });
    since.push({ transfer: { key, zone, since: domain.changes.nodes[0].serial } });
  }
  return [
    ...[...zones, catalog].map((zone): Question => ({ transfer: { key, zone } })),
    ...since,
    ...[null, ...Object.keys(setup.tsigKeys)].flatMap((each): Question[] => [
      { transfer: { key: each, zone: "updates.example" } },
      { transfer: { key: each, zone: other } },
    ]),
  ];
}
