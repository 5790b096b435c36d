/** One zone, as its pages show it. */
import type { ZonePublicationFragment, ZoneQuery } from "./generated/graphql.ts";
import { readOptions } from "./queries.ts";
import { graphql } from "./run.ts";

graphql(`
  fragment ZonePublication on Publication {
    state serial since
    secondaries { state serial seenAt lastError secondaryId name isJoining }
  }
`);

/** How far a zone is published, as its page, its events and the review of a change show it. */
export type Publication = ZonePublicationFragment;

const zoneQuery = graphql(`
  query Zone($zone: String!) {
    domain(by: { zone: $zone }) {
      id zone zoneUnicode serial createdAt review requiredApprovals
      labels { name value }
      user { id email }
      publication { ...ZonePublication }
    }
  }
`);

export type ShownZone = NonNullable<ZoneQuery["domain"]>;

export const zoneOptions = (zone: string) =>
  readOptions(["zone", zone], zoneQuery, { zone }, ({ domain }) => domain as ShownZone);

/** Where the master file of a zone is downloaded. */
export const exportUrl = (zone: string) => `/api/domain/zonefile/${encodeURIComponent(zone)}`;
