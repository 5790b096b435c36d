/**
 * A button that copies a text, and says that it did.
 */
import { useEffect, useState } from "react";
import { announce } from "./announce.tsx";
import { Button, type ButtonKind } from "./button.tsx";

/** How long the button shows that it copied, ms. */
const shownMs = 2000;

interface CopyProps {
  readonly text: string;
  /** What is copied, for those who do not see what is beside it. */
  readonly what: string;
  readonly kind?: ButtonKind;
}

export function Copy({ text, what, kind = "plain" }: CopyProps) {
  const [result, setResult] = useState<"copied" | "failed">();
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setResult("copied");
      announce(`${what}: copied`);
    } catch {
      setResult("failed");
      announce(`${what}: the browser did not let it be copied`, "assertive");
    }
  };
  const words = result === undefined ? "Copy" : result === "copied" ? "Copied" : "Select and copy it yourself";
  return (
    <Button kind={kind} icon={result === "copied" ? "check" : "copy"} aria-label={`Copy ${what}`} onClick={copy}>
      {words}
    </Button>
  );
}
