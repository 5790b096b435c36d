/**
 * How far a change set has come whose zones change each for itself, and the zones of it that were refused, with the way to stage these again.
 */
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/announce.tsx";
import { Button } from "../parts/button.tsx";
import { counted } from "../parts/counted.ts";
import { unicodeText } from "../parts/names.ts";
import { Refusal } from "../parts/refusal.tsx";
import table from "../parts/table.module.css";
import { Table } from "../parts/table.tsx";
import { lookAgain, type ShownSet } from "./queries.ts";
import { restageSet } from "./steps.ts";

export function SetProgress({ set }: { readonly set: ShownSet }) {
  const { zones = 0, applied = 0, refused = 0 } = set.progress ?? {};
  if (set.state !== "APPLYING" && refused === 0) return null;
  const done = applied + refused;
  return (
    <>
      <p aria-live="polite">
        <progress max={zones} value={done} aria-label="Zones that are done" />{" "}
        {`${done.toLocaleString()} of ${counted(zones, "zone")} done`}
        {refused > 0 && `, ${refused.toLocaleString()} refused`}
      </p>
      {refused > 0 && <RefusedZones set={set} count={refused} />}
    </>
  );
}

function RefusedZones({ set, count }: { readonly set: ShownSet; readonly count: number }) {
  const { readOnly } = useViewer();
  const navigate = useNavigate();
  const zones = set.refused?.nodes ?? [];
  const restaging = useMutation({
    mutationFn: () => restageSet(set.id),
    onSuccess: async (id) => {
      announceResult("What was refused is staged again, in a change set of its own.");
      void lookAgain(id);
      await navigate({ to: "/changesets/$set", params: { set: id } });
    },
  });
  return (
    <>
      <Table label="Refused zones" headings={["Refused zone", "Why"]}>
        {zones.map(({ zone, domain, reasons }) => (
          <tr key={zone}>
            <td className={table.name}>
              {domain ? (
                <Link to="/zones/$zone" params={{ zone }}>
                  {unicodeText(zone)}
                </Link>
              ) : (
                unicodeText(zone)
              )}
            </td>
            <td className={table.wide}>{reasons.map(({ message }) => message).join(" ")}</td>
          </tr>
        ))}
      </Table>
      {count > zones.length && (
        <p>
          The first {zones.length} of {count.toLocaleString()} refused zones are shown.
        </p>
      )}
      {restaging.error && <Refusal error={restaging.error} />}
      {set.state === "PARTIAL" && !readOnly && (
        <p>
          <Button busy={restaging.isPending} onClick={() => restaging.mutate()}>
            Stage the refused ones again
          </Button>
        </p>
      )}
    </>
  );
}
