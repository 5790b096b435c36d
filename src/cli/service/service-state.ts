/**
 * The state of the service as `status` reads it.
 */
import { callGraphql, type Endpoint, RefusedError } from "./client.ts";

interface Count {
  readonly totalCount: number;
}

/** What every key may see. */
export interface ServiceState {
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
  readonly late: Count & { readonly nodes: readonly LateZone[] };
  readonly unserved: Count;
  readonly updateRefusals: { readonly nodes: readonly UpdateRefusal[] };
}

export interface LateZone {
  readonly zone: string;
  readonly publication: {
    readonly since: string;
    readonly secondaries:
      | readonly {
          readonly name: string;
          readonly state: string;
          readonly lastError: string | null;
        }[]
      | null;
  } | null;
}

export interface UpdateRefusal {
  readonly createdAt: string;
  readonly zone: string;
  readonly reason: string;
}

/** What administrators see besides. */
export interface OperatorState {
  readonly instances: readonly Instance[];
  readonly secondaries: { readonly nodes: readonly Secondary[] };
  readonly pendingCatalogRemoval: { readonly removalCount: number } | null;
  readonly pendingRestore: { readonly zoneCount: number } | null;
}

export interface Instance {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly isAlive: boolean;
  readonly isLeader: boolean;
}

export interface Secondary {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly lastQuery: {
    readonly at: string;
    readonly zone: string | null;
    readonly answer: string;
    readonly succeeded: boolean;
  } | null;
  readonly lastTsigError: { readonly at: string; readonly message: string } | null;
  readonly joinedAt: string | null;
  readonly progress: { readonly served: number; readonly total: number } | null;
}

const count = (alias: string, state: string, more = "") =>
  `${alias}: domains(first: 5, filter: { state: ${state} }) { totalCount ${more} }`;

const lateFields = "nodes { zone publication { since secondaries { name state lastError } } }";

export const serviceDocument = `{
  service { version dnsAddress dnsPort nameServers warnings }
  users(first: 1) { totalCount } domains(first: 1) { totalCount }
  ${count("live", "LIVE")} ${count("pending", "PENDING")} ${count("late", "LATE", lateFields)} ${count("unserved", "UNSERVED")}
  updateRefusals(first: 5) { nodes { createdAt zone reason } } }`;

export const operatorDocument = `{
  instances { host pid version startedAt seenAt isAlive isLeader }
  secondaries(first: 100) { nodes { name address port lastQuery { at zone answer succeeded } lastNotify { at message }
    lastTsigError { at message } joinedAt progress { served total } } }
  pendingCatalogRemoval { removalCount } pendingRestore { zoneCount } }`;

/** The state at a moment; `operator` is undefined for a user's key. */
export interface Picture {
  readonly url: string;
  readonly now: Date;
  readonly service: ServiceState;
  readonly operator: OperatorState | undefined;
}

/** Reads it. */
export async function readState(endpoint: Endpoint): Promise<Picture> {
  const service = await callGraphql<ServiceState>(endpoint, serviceDocument, {});
  return { url: endpoint.url, now: new Date(), service, operator: await readOperatorState(endpoint) };
}

/** What administrators see; undefined for a user's key. */
async function readOperatorState(endpoint: Endpoint): Promise<OperatorState | undefined> {
  try {
    return await callGraphql<OperatorState>(endpoint, operatorDocument, {});
  } catch (error) {
    if (error instanceof RefusedError && error.body.error === "FORBIDDEN") return undefined;
    throw error;
  }
}
