/** The interface of the worker that runs a delivery (delivery.ts). */
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

/** The pace of a delivery. `look`: as `verify`, but the delivery ends where it would have to compare the content. */
export type Pace = "urgent" | "bulk" | "verify" | "look";

export interface DeliveryHost {
  readonly secondary: Pick<SecondaryEndpoint, "id" | "name" | "notify" | "isIndirect">;
  readonly queues: Pick<PacketQueues, "addNotify" | "addProbe" | "addComparison" | "remove">;
  readonly raises: Pick<Raises, "mayRaise" | "raise">;
  readonly zoneExists: (zone: string) => Promise<boolean>;
  notify(target: Target, timeoutMs: number): Promise<NotifyResult>;
  probe(target: Target, timeoutMs: number): Promise<ProbeResult>;
  /** Returns what a served serial proves; undefined for a deleted domain. */
  prove(domainId: number, served: Served): Promise<Proven | undefined>;
  /** Returns whether no copy of the zone is known at the secondary, by transfer or by observation; false for a deleted domain. */
  isAbsent(domainId: number): Promise<boolean>;
  compareContent(target: Target): Promise<ContentComparison>;
  onObserved(observation: Observation, target: Target, isDoubtful: boolean): void;
  onDelivered(target: Target): void;
  /** Ends a delivery when other zones wait for its place; returns whether it did. */
  giveUp(domainId: number): boolean;
}
