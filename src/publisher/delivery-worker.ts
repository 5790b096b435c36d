/**
 * What a delivery (delivery.ts) needs of the worker that runs it.
 */
import type { SecondaryEndpoint } from "../secondary/endpoint.ts";
import type { Served } from "../secondary/proof.ts";
import type { Observation } from "../secondary/record-sightings.ts";
import type { Target } from "../secondary/sighting.ts";
import type { PacketQueues } from "./packet-queues.ts";
import type { ContentComparison } from "./packets/content-comparison.ts";
import type { NotifyResult } from "./packets/notify.ts";
import type { ProbeResult } from "./packets/soa-probe.ts";
import type { Proven } from "./probe-meaning.ts";
import type { Raises } from "./serial-raises.ts";

/** How a delivery goes; `look`: as `verify`, but it ends where the content would have to be compared. */
export type Pace = "urgent" | "bulk" | "verify" | "look";

/** What a delivery needs of the worker that runs it. */
export interface DeliveryHost {
  readonly secondary: Pick<SecondaryEndpoint, "id" | "name" | "notify" | "isIndirect">;
  readonly queues: Pick<PacketQueues, "addNotify" | "addProbe" | "addComparison" | "remove">;
  readonly raises: Pick<Raises, "mayRaise" | "raise">;
  readonly zoneExists: (zone: string) => Promise<boolean>;
  notify(target: Target, timeoutMs: number): Promise<NotifyResult>;
  probe(target: Target, timeoutMs: number): Promise<ProbeResult>;
  /** What is proven by a serial that is served; undefined for a deleted domain. */
  prove(domainId: number, served: Served): Promise<Proven | undefined>;
  /** Whether the secondary was never given a zone, nor observed to serve it; false for a deleted domain. */
  isAbsent(domainId: number): Promise<boolean>;
  /** Compares the copy of a zone with ours. */
  compareContent(target: Target): Promise<ContentComparison>;
  onObserved(observation: Observation, target: Target, isDoubtful: boolean): void;
  onDelivered(target: Target): void;
  /** Ends a delivery in favour of zones that wait for its place; returns whether there are any. */
  giveUp(domainId: number): boolean;
}
