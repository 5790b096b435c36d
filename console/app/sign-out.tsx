/**
 * Signing out; while edits are staged, it asks whether this browser keeps them for the next sign-in with the same key.
 */
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { queries } from "../api/queries.ts";
import { signOut } from "../api/sign-in.ts";
import { useViewer } from "../api/viewer.ts";
import { forgetVisited } from "../palette/visited.ts";
import { announceFailure } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions, Dialog } from "../parts/control/dialog.tsx";
import { sentenceOf } from "../parts/page/refusal.tsx";
import { counted } from "../parts/text/counted.ts";
import { forgetDrafts } from "../sheet/draft/draft-store.ts";
import { useStagedZones } from "../sheet/draft/staged-zones.tsx";
import { forgetEnd } from "./sign-in.tsx";

export function SignOut({ onClose }: { readonly onClose: () => void }) {
  const { key } = useViewer();
  const navigate = useNavigate();
  const fingerprint = key?.fingerprint ?? "none";
  const staged = [...useStagedZones(fingerprint).values()].reduce((sum, count) => sum + count, 0);
  const leave = async (keeps: boolean) => {
    onClose();
    try {
      await signOut();
      if (!keeps) forgetDrafts(localStorage, fingerprint);
      forgetVisited(fingerprint);
    } catch (error) {
      return announceFailure(`You are still signed in. ${sentenceOf(error)}`);
    }
    await navigate({ to: "/sign-in", search: {} });
    forgetEnd();
    queries.clear();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it opens
  useEffect(() => {
    if (staged === 0) void leave(true);
  }, []);
  if (staged === 0) return null;
  return (
    <Dialog title={`Sign out with ${counted(staged, "edit")}?`} onClose={onClose}>
      <p>
        They are kept in this browser and are there again when you sign in with the same key. On a computer of others,
        discard them.
      </p>
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" onClick={() => void leave(false)}>
          Discard and sign out
        </Button>
        <Button kind="primary" onClick={() => void leave(true)}>
          Keep and sign out
        </Button>
      </Actions>
    </Dialog>
  );
}
