/**
 * What a delivery (delivery.ts) needs of the worker that runs it.
 */
import type { Observation } from "../secondary/observation.ts";
import type { Served } from "../secondary/proof.ts";
import type { Target } from "../secondary/sighting.ts";
import type { ContentComparison } from "./content-comparison.ts";
import type { Proven, Raise, RaiseState } from "./finding.ts";
import type { NotifyResult } from "./notify.ts";
import type { ProbeResult } from "./soa-probe.ts";
import type { Task } from "./task-queue.ts";

/** How a delivery goes; `look`: as `verify`, but it ends where the content would have to be compared. */
export type Pace = "urgent" | "bulk" | "verify" | "look";

/** What a delivery needs of the worker that runs it. */
export interface DeliveryHost {
  readonly secondaryId: number;
  /** The name of the secondary. */
  readonly name: string;
  readonly takesNotify: boolean;
  readonly isIndirect: boolean;
  /** Whether zones may be published to secondaries that serve what is not proven to be ours. */
  readonly mayRaise: boolean;
  notify(target: Target, timeoutMs: number): Promise<NotifyResult>;
  probe(target: Target, timeoutMs: number): Promise<ProbeResult>;
  queueNotify(task: Task, isUrgent: boolean): void;
  /** Queues a probe after the wait of this try; one that is due sooner stays so. */
  queueProbe(task: Task, tries: number, isUrgent: boolean): void;
  /** Removes a task from wherever it waits. */
  dequeue(task: Task): void;
  /** What is proven by a serial that is served; undefined for a deleted domain. */
  prove(domainId: number, served: Served): Promise<Proven | undefined>;
  /** Whether the secondary was never given a zone, nor observed to serve it; false for a deleted domain. */
  isAbsent(domainId: number): Promise<boolean>;
  /** Raises the serial of a zone, unless that is held or was done. */
  raise(target: Target, raise: Raise): RaiseState;
  /** Compares the copy of a zone with ours. */
  compareContent(target: Target): Promise<ContentComparison>;
  /** Queues a comparison of content, within a budget. */
  queueComparison(task: Task): void;
  zoneExists(zone: string): Promise<boolean>;
  onObserved(observation: Observation, target: Target, isDoubtful: boolean): void;
  onDelivered(target: Target): void;
}
