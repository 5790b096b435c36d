/** A zone as text, as a tab of its page. */
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { ZoneText } from "./zone-text.tsx";

const route = getRouteApi("/shell/zones/$zone/text");

export function TextTab() {
  const { zone } = route.useParams();
  const navigate = useNavigate();
  const viewer = useViewer();
  const fingerprint = viewer.key?.fingerprint ?? "none";
  return (
    <ZoneText
      // Texts are kept by key and zone.
      key={`${fingerprint} ${zone}`}
      zone={zone}
      fingerprint={fingerprint}
      isReadOnly={viewer.readOnly}
      onDone={() => void navigate({ to: "/zones/$zone", params: { zone } })}
    />
  );
}
