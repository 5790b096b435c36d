/** What is held back at all secondaries until an administrator confirms it. */
import { catalogHold } from "../secondary/catalog-zone.ts";
import { restoreHold } from "../secondary/restore.ts";
import type { Session } from "../session/session.ts";
import { type Finding, warning } from "./finding.ts";

/** Looks for both kinds of holds. */
export async function checkHolds(session: Session): Promise<Finding[]> {
  const [catalog, restore] = [await catalogHold(session), await restoreHold(session)];
  return [
    ...(catalog
      ? [
          warning(
            "catalog",
            `The removal of ${catalog.removals} of ${catalog.members} zones from it is held back since ${catalog.heldSince.toISOString()}.`,
            `if it is meant: mutation { confirmCatalogRemoval(input: { removalCount: ${catalog.removals} }) { confirmed { memberCount } } }, or in the console`,
          ),
        ]
      : []),
    ...(restore
      ? [
          warning(
            "RESTORE_POLICY",
            `${restore.zones} zones are held back since ${restore.heldSince.toISOString()}, as after a restored backup.`,
            `if they are to be published: mutation { confirmRestore(input: { pendingSince: "${restore.heldSince.toISOString()}" }) { confirmed { zoneCount } } }, or in the console`,
          ),
        ]
      : []),
  ];
}
