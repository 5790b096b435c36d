/** How far a zone is published; it follows the subscription, since both write the same object of the cache. */
import { type FragmentType, graphql, useFragment } from "./generated";
import type { PublicationState } from "./generated/graphql";

const domainFragment = graphql(`
  fragment PublicationBadge_domain on Domain {
    publication {
      state
      serial
      secondaries { state name }
    }
  }
`);

const meanings: Record<PublicationState, string> = {
  LIVE: "Every required secondary serves it",
  PENDING: "Not every required secondary serves it yet",
  LATE: "A required secondary does not serve it although the time limit has passed",
  UNSERVED: "There is no secondary to serve it",
};

interface BadgeProps {
  readonly domain: FragmentType<typeof domainFragment>;
  readonly withSecondaries?: boolean;
}

export function PublicationBadge({ domain, withSecondaries }: BadgeProps) {
  const { publication } = useFragment(domainFragment, domain);
  if (!publication) return null;
  const { state, secondaries } = publication;
  return (
    <>
      <span className={`badge ${state.toLowerCase()}`} title={meanings[state]}>
        {state.toLowerCase()}
      </span>
      {withSecondaries &&
        secondaries?.map(({ name, state }) => (
          <small key={name}>
            {name} {state.toLowerCase()}
          </small>
        ))}
    </>
  );
}
