/**
 * `status`: the running service at a glance.
 */
import { callGraphql, type Endpoint, RefusedError } from "./client.ts";
import { queryAnswerText } from "./print.ts";

interface Count {
  readonly totalCount: number;
}

/** What every key may see. */
interface ServiceState {
  readonly service: {
    readonly version: string;
    readonly dnsAddress: string;
    readonly dnsPort: number;
    readonly nameServers: readonly string[];
    readonly warnings: readonly string[];
  };
  readonly users: Count;
  readonly domains: Count;
  readonly live: Count;
  readonly pending: Count;
  readonly late: Count;
  readonly unserved: Count;
}

/** What administrators see besides. */
interface Secondary {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly queriedAt: string | null;
  readonly queryAnswer: string | null;
}

const count = (alias: string, state: string) =>
  `${alias}: domains(first: 1, filter: { state: ${state} }) { totalCount }`;

export const serviceDocument = `{
  service { version dnsAddress dnsPort nameServers warnings }
  users(first: 1) { totalCount } domains(first: 1) { totalCount }
  ${count("live", "LIVE")} ${count("pending", "PENDING")} ${count("late", "LATE")} ${count("unserved", "UNSERVED")} }`;

export const secondariesDocument = "{ secondaries(first: 1000) { nodes { name address port queriedAt queryAnswer } } }";

/** Prints the state of the service; warnings go to standard error. */
export async function printStatus(endpoint: Endpoint, json: boolean): Promise<void> {
  const state = await callGraphql<ServiceState>(endpoint, serviceDocument, {});
  const secondaries = await readSecondaries(endpoint);
  if (json) {
    console.log(JSON.stringify({ url: endpoint.url, ...state, secondaries }, null, 2));
    return;
  }
  const { service, users, domains, live, pending, late, unserved } = state;
  const states = Object.entries({ LIVE: live, PENDING: pending, LATE: late, UNSERVED: unserved })
    .filter(([, { totalCount }]) => totalCount > 0)
    .map(([name, { totalCount }]) => `${totalCount} ${name}`);
  const lines = [
    ["Zonesmith", `${service.version} at ${endpoint.url}`],
    ["DNS", `${service.dnsAddress} port ${service.dnsPort}`],
    ["Name servers", service.nameServers.join(" ")],
    ["Users", users.totalCount],
    ["Domains", [domains.totalCount, ...(states.length > 0 ? [`(${states.join(", ")})`] : [])].join(" ")],
    ...(secondaries ?? []).map((each) => ["Secondary", describe(each)]),
    ...(secondaries?.length === 0 ? [["Secondaries", "none; add one with: zonesmith secondary add"]] : []),
  ];
  for (const [name, value] of lines) console.log(`${String(name).padEnd(12)}  ${value}`);
  for (const warning of service.warnings) console.error(`warning: ${warning}`);
}

/** The secondaries; undefined for a user's key, which may not see them. */
async function readSecondaries(endpoint: Endpoint): Promise<readonly Secondary[] | undefined> {
  try {
    const data = await callGraphql<{ secondaries: { nodes: Secondary[] } }>(endpoint, secondariesDocument, {});
    return data.secondaries.nodes;
  } catch (error) {
    if (error instanceof RefusedError && error.body.error === "FORBIDDEN") return undefined;
    throw error;
  }
}

function describe({ name, address, port, queriedAt, queryAnswer }: Secondary): string {
  const answer =
    queriedAt === null
      ? "not asked yet"
      : `${queryAnswerText(queryAnswer)} (${queriedAt.slice(0, 16).replace("T", " ")}Z)`;
  return `${name}, ${address} port ${port}: ${answer}`;
}
