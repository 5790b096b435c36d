/**
 * Taking a zone out of a change set, which asks once: what was staged for it is gone then.
 */
import { useQuery } from "@tanstack/react-query";
import { announceResult } from "../parts/announce.tsx";
import { counted } from "../parts/counted.ts";
import { Question } from "../parts/form-dialog.tsx";
import { unicodeText } from "../parts/names.ts";
import { lookAgain, stagedEditsOptions } from "./queries.ts";
import { isOutdated, type SetAtRevision, unstage } from "./steps.ts";

interface TakeOutProps {
  readonly set: SetAtRevision;
  readonly zone: string;
  readonly onOutdated: (sentence: string | undefined) => void;
  readonly onClose: () => void;
}

export function TakeOut({ set, zone, onOutdated, onClose }: TakeOutProps) {
  const edits = useQuery(stagedEditsOptions(set, zone)).data;
  const name = unicodeText(zone);
  const send = async () => {
    try {
      await unstage(set, zone);
      announceResult(`${name} is taken out of the change set.`);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      onOutdated(error.message);
    } finally {
      await lookAgain(set.id);
    }
  };
  return (
    <Question
      title={`Take ${name} out of the change set?`}
      action="Take out"
      byEnter
      send={send}
      onSent={onClose}
      onClose={onClose}
    >
      What is staged for it goes with it{edits ? `: ${counted(edits, "edit")}` : ""}.
    </Question>
  );
}
