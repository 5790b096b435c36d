/** Says that others changed the zones of an open change set since its effect was read; what is on the screen is not replaced under its reader. */
import { useEffect, useState } from "react";
import { collected } from "../api/collected.ts";
import { follow } from "../api/events.ts";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { lookAgain, type ShownSet } from "../changesets/queries.ts";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";

const followed = graphql(`
  subscription ZonesOfSetFollowed {
    domainChanged { change { zone } }
  }
`);

const effect = graphql(`
  query EffectOfSet($id: ID!) {
    changeSetPreview(id: $id) { fingerprint }
  }
`);

/** How long changes are collected before the set is looked at, ms. */
const pauseMs = 1000;

export function ZonesChanged({ set, fingerprint }: { readonly set: ShownSet; readonly fingerprint: string }) {
  const [present, setPresent] = useState(fingerprint);
  const { id } = set;
  const names = set.zones?.nodes.map(({ zone }) => zone).join(" ") ?? "";
  useEffect(() => {
    const zones = new Set(names.split(" "));
    const ask = async () => {
      const { changeSetPreview } = await run(effect, { id });
      if (changeSetPreview) setPresent(changeSetPreview.fingerprint);
    };
    // A set that cannot be looked at now is looked at with the next change.
    const asking = collected(pauseMs, () => void ask().catch(() => {}));
    const stop = follow(
      followed,
      {},
      {
        onEvent: ({ domainChanged: { change } }) => zones.has(change.zone) && asking.begin(),
        // Changes may be missed before it is open.
        onFollowing: (follows) => follows && asking.begin(),
      },
    );
    return () => {
      stop();
      asking.stop();
    };
  }, [id, names]);
  if (present === fingerprint) return null;
  return (
    <p role="status" className={`${look.message} ${look.line}`}>
      Others changed its zones since: it would do something else by now.
      <Button onClick={() => lookAgain(id)}>Look again</Button>
    </p>
  );
}
