/** The import of a zone, as a tab of its page. */
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { takeHandedOver } from "./handed-over.ts";
import { ImportZone } from "./import-zone.tsx";

const route = getRouteApi("/shell/zones/$zone/import");

export function ImportTab() {
  const { zone } = route.useParams();
  const navigate = useNavigate();
  const [text] = useState(takeHandedOver);
  return <ImportZone zone={zone} text={text} onDone={() => void navigate({ to: "/zones/$zone", params: { zone } })} />;
}
