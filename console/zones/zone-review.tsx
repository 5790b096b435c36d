/**
 * The review that a zone demands, and setting it.
 */
import { useQuery } from "@tanstack/react-query";
import { useViewer } from "../api/viewer.ts";
import { type ShownZone, updateZone, zoneOptions } from "../api/zone.ts";
import { saved } from "../parts/page/fields.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Read } from "../parts/page/list.tsx";
import { policyOf, type ReviewChoice, ReviewField } from "../parts/zone/review-policy.tsx";

interface ZoneReviewProps {
  readonly zone: Pick<ShownZone, "zone" | "zoneUnicode">;
  readonly onClose: () => void;
}

export function ZoneReview({ zone, onClose }: ZoneReviewProps) {
  return (
    <Read query={useQuery(zoneOptions(zone.zone))} title={`Review of ${zone.zoneUnicode}`} onClose={onClose}>
      {(shown) => <ReviewForm zone={shown} onClose={onClose} />}
    </Read>
  );
}

function ReviewForm({ zone, onClose }: { readonly zone: ShownZone; readonly onClose: () => void }) {
  const { isAdministrator } = useViewer();
  const save = useForm({
    values: { review: (zone.review ?? "") as ReviewChoice },
    mutationFn: ({ review }) => updateZone({ by: { zone: zone.zone }, review: review || null }),
    onSuccess: () => saved(`The review of ${zone.zoneUnicode} is saved.`, onClose, "zone"),
  });
  return (
    <FormDialog title={`Review of ${zone.zoneUnicode}`} action="Save" form={save} onClose={onClose}>
      <ReviewField
        least={policyOf(zone.requiredApprovals)}
        isFree={isAdministrator}
        inherits={isAdministrator || zone.review === null}
      />
    </FormDialog>
  );
}
