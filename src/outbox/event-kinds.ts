/** The events that webhooks receive. The enum of the schema and the table of docs/webhooks.md are made of this table. */

interface EventKind {
  readonly description: string;
  readonly data: string;
}

const ofChange =
  "`zone`, `domainId`, `userId`, `changeId`, `kind`, `previousSerial`, `serial`, `actor`, `appliedBy`, `source`, `note`, `changeSetId`, `undoes`, `returnsTo`, `createdAt`";
const ofKey = "`keyId`, `keyKind` (`API`, `TSIG`), `name`, `userId`, `zones`, `readOnly`, `expiresAt`, `actor`";
const ofSet = "`changeSetId`, `title`, `userId`, `revision`, `actor`, `text`, `zones` (100 at most), `zoneCount`";

const change = (description: string): EventKind => ({ description, data: ofChange });
const set = (description: string): EventKind => ({ description, data: ofSet });

export const eventKinds = {
  "domain.created": change("A domain was created."),
  "domain.deleted": change("A domain was deleted."),
  "domain.restored": change("A deleted domain came back."),
  "domain.transferred": {
    description: "A domain went to another user; it is sent to both.",
    data: "`zone`, `domainId`, `userId`, `formerUserId`, `actor`",
  },
  "change.committed": change("A change of a zone was committed, also its creation and deletion."),
  "change.live": {
    description: "Every required secondary serves a change.",
    data: `${ofChange}, \`state\`, \`since\``,
  },
  "change.late": {
    description: "A required secondary does not serve a change within PUBLICATION_LATE_SECONDS.",
    data: `${ofChange}, \`state\`, \`since\``,
  },
  "update.refused": {
    description: "A dynamic update (RFC 2136) was refused.",
    data: "`zone`, `userId`, `code`, `rcode`, `reason`, `address`, `protocol`, `keyName`",
  },
  "key.created": { description: "An API key or a TSIG key was created.", data: ofKey },
  "key.revoked": { description: "An API key or a TSIG key was revoked.", data: ofKey },
  "change_set.created": set("A change set was created."),
  "change_set.submitted": set("A change set was submitted for review."),
  "change_set.approved": set("Somebody approved a change set."),
  "change_set.changes_requested": set("Somebody asked for changes of a change set."),
  "change_set.scheduled": set("A change set was scheduled; the text is the time."),
  "change_set.conflicted": set(
    "Others changed what a scheduled change set changes, so it will not be applied as it is; the text says why.",
  ),
  "change_set.applied": set("A change set was applied."),
  "change_set.partial": set("A change set was applied, except in refused zones; the text counts them."),
  "change_set.failed": set("The application of a change set failed; the text says why."),
  "change_set.missed": set("The time of a change set went by while no service ran."),
  "change_set.cancelled": set("A change set was given up."),
  "change_set.expired": set("A change set ended that nobody touched for CHANGE_SET_DAYS."),
} as const satisfies Readonly<Record<string, EventKind>>;

export type EventName = keyof typeof eventKinds;

export const eventNames = Object.keys(eventKinds) as EventName[];

/** The webhook event of an event of a change set; undefined if it has no webhook event. */
export function eventOfChangeSet(kind: string): EventName | undefined {
  return eventNames.find((event) => event === `change_set.${kind.toLowerCase()}`);
}
