/**
 * The review that a zone demands, and setting it.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readAgain } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { type ShownZone, updateZone, zoneOptions } from "../api/zone.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Dialog } from "../parts/control/dialog.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Reading } from "../parts/page/list.tsx";
import { policyOf, type ReviewChoice, ReviewField } from "../parts/zone/review-policy.tsx";

interface ZoneReviewProps {
  readonly zone: { readonly zone: string; readonly zoneUnicode: string };
  readonly onClose: () => void;
}

export function ZoneReview({ zone, onClose }: ZoneReviewProps) {
  const { data, error } = useQuery(zoneOptions(zone.zone));
  if (data) return <ReviewForm zone={data} onClose={onClose} />;
  return (
    <Dialog title={`Review of ${zone.zoneUnicode}`} onClose={onClose}>
      <Reading query={{ error }} />
    </Dialog>
  );
}

function ReviewForm({ zone, onClose }: { readonly zone: ShownZone; readonly onClose: () => void }) {
  const { isAdministrator } = useViewer();
  const [review, setChoice] = useState<ReviewChoice>(zone.review ?? "");
  const save = useForm({
    fields: ["review"],
    mutationFn: () => updateZone({ by: { zone: zone.zone }, review: review || null }),
    onSuccess: () => {
      announceResult(`The review of ${zone.zoneUnicode} is saved.`);
      onClose();
      readAgain("zone");
    },
  });
  return (
    <FormDialog title={`Review of ${zone.zoneUnicode}`} action="Save" form={save} onClose={onClose}>
      <ReviewField
        value={review}
        onChange={setChoice}
        least={policyOf(zone.requiredApprovals)}
        isFree={isAdministrator}
        inherits={isAdministrator || zone.review === null}
        error={save.errorOf("review")}
      />
    </FormDialog>
  );
}
