/** Reports what the publisher holds back from all secondaries until an administrator confirms it. */
import { catalogHold } from "../secondary/catalog-zone.ts";
import { restoreHold } from "../secondary/restore.ts";
import type { Session } from "../session/session.ts";
import { type Finding, warning } from "./finding.ts";

export async function* checkHolds(session: Session): AsyncGenerator<Finding> {
  const [catalog, restore] = [await catalogHold(session), await restoreHold(session)];
  if (catalog)
    yield warning(
      "catalog",
      `The removal of ${catalog.removals} of ${catalog.members} zones from it is held back since ${catalog.heldSince.toISOString()}.`,
      `if it is meant: mutation { confirmCatalogRemoval(input: { removalCount: ${catalog.removals} }) { confirmed { memberCount } } }, or in the console`,
    );
  const since = restore?.heldSince.toISOString();
  if (restore)
    yield warning(
      "RESTORE_POLICY",
      `${restore.zones} zones are held back since ${since}, as after a restored backup.`,
      `if they are to be published: mutation { confirmRestore(input: { pendingSince: "${since}" }) { confirmed { zoneCount } } }, or in the console`,
    );
}
