/** The payload of messages: a type, a time and data (Standard Webhooks). Ids are texts, as in GraphQL. */
import type { EventName } from "../outbox/event-kinds.ts";
import { ChangeKind, type ChangeRow } from "../zone/change.ts";
import type { testMessage } from "./webhook-delivery.ts";

export function payloadOf(
  type: EventName | typeof testMessage,
  at: Date,
  data: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

const idText = (id: number | null | undefined) => (id === null || id === undefined ? null : String(id));

export function dataOfChange(change: ChangeRow, userId: number | null): Readonly<Record<string, unknown>> {
  const { zone, kind, previousSerial, serial, actor, appliedBy = null, source, note, createdAt } = change;
  return {
    ...{ zone, domainId: idText(change.domainId), userId: idText(userId), changeId: idText(change.id), kind },
    ...{ previousSerial, serial, actor, appliedBy, source, note, changeSetId: idText(change.changeSetId) },
    ...{ undoes: idText(change.undoes), returnsTo: idText(change.returnsTo), createdAt: createdAt.toISOString() },
  };
}

const ofKind: Readonly<Partial<Record<ChangeKind, EventName>>> = {
  [ChangeKind.CREATE]: "domain.created",
  [ChangeKind.DELETE]: "domain.deleted",
  [ChangeKind.RESTORE]: "domain.restored",
};

export function eventsOfChange({ kind }: Pick<ChangeRow, "kind">): EventName[] {
  const ofDomain = ofKind[kind];
  return ofDomain ? [ofDomain, "change.committed"] : ["change.committed"];
}
