/**
 * How far a zone is published, as its page, its events and the review of a change show it.
 */
import { graphql } from "./generated/gql.ts";
import type { ZonePublicationFragment } from "./generated/graphql.ts";

/** The fields; a query names the fragment. */
graphql(`
  fragment ZonePublication on Publication {
    state serial since
    secondaries { state serial seenAt lastError secondaryId name }
  }
`);

export type Publication = ZonePublicationFragment;
