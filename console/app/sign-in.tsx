/**
 * Signing in: one field, as a page of its own before anything else, and over the page when a sign-in ends while it is open.
 */
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { queries } from "../api/queries.ts";
import { Refused } from "../api/refused.ts";
import { observe } from "../api/run.ts";
import { signIn } from "../api/sign-in.ts";
import { readViewer, type Viewer, viewerOptions } from "../api/viewer.ts";
import { Button } from "../parts/control/button.tsx";
import { Dialog } from "../parts/control/dialog.tsx";
import { Field } from "../parts/control/field.tsx";
import look from "../parts/look.module.css";
import { useTitle } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { moveDrafts } from "../sheet/draft/draft-store.ts";
import { ownPath } from "./search-text.ts";
import css from "./sign-in.module.css";

/** The form; `onDone` is called when the service has accepted the key. */
function SignInForm({ onDone, note }: { readonly onDone: () => Promise<void>; readonly note?: string | undefined }) {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = field.current as HTMLInputElement;
    setBusy(true);
    setError(undefined);
    try {
      await signIn(input.value.trim());
      input.value = "";
      await onDone();
    } catch (refused) {
      setError(refused);
      input.select();
    } finally {
      setBusy(false);
    }
  };
  const ofKey = error instanceof Refused && error.retryAfter === undefined ? error.message : undefined;
  return (
    <form onSubmit={submit} className={look.stack}>
      {note && <p className={look.soft}>{note}</p>}
      {/* Password managers file a password under a name. */}
      <input type="text" autoComplete="username" value="zonesmith" readOnly hidden />
      <Field
        label="API key"
        error={ofKey}
        hint="The service keeps a cookie in its place; the key itself stays out of the browser."
      >
        <input ref={field} type="password" autoComplete="current-password" spellCheck={false} required />
      </Field>
      {error !== undefined && ofKey === undefined && <Refusal error={error} />}
      <div>
        <Button kind="primary" type="submit" busy={busy}>
          Sign in
        </Button>
      </div>
    </form>
  );
}

const signInRoute = getRouteApi("/sign-in");

/** The page; it leads back to where the person wanted to go. */
export function SignInPage() {
  useTitle("Sign in");
  const { to } = signInRoute.useSearch();
  const router = useRouter();
  const done = async () => {
    queries.clear();
    // That there was none before is why this page is shown.
    setEnded(undefined);
    await queries.fetchQuery(viewerOptions);
    router.history.replace(ownPath(to) ?? "/console/zones");
  };
  return (
    <main className={css.page}>
      <div className={`${look.card} ${look.stack} ${css.card}`}>
        <h1>Zonesmith</h1>
        <SignInForm onDone={done} />
        <p className={look.soft}>
          The first start of the service shows an administrator key. Later ones are made under API keys, or by{" "}
          <code>zonesmith key add</code>.
        </p>
      </div>
    </main>
  );
}

let endedBecause: string | undefined;
const listeners = new Set<() => void>();

function setEnded(sentence: string | undefined): void {
  endedBecause = sentence;
  for (const listener of listeners) listener();
}

observe({ signedOut: (sentence) => setEnded(sentence) });

const onEnded = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The form over the page once the sign-in has ended; the page below stays as it was. */
export function SignInAgain({ viewer }: { readonly viewer: Viewer }) {
  const sentence = useSyncExternalStore(onEnded, () => endedBecause);
  if (sentence === undefined) return null;
  const done = async () => {
    const next = await readViewer();
    const isAnother = next.key?.id !== viewer.key?.id;
    const isSamePerson = next.role === viewer.role && next.user?.id === viewer.user?.id;
    // What is staged goes along with the person, before anything is shown of the other key.
    if (isAnother && isSamePerson && viewer.key && next.key)
      moveDrafts(localStorage, viewer.key.fingerprint, next.key.fingerprint);
    queries.setQueryData(viewerOptions.queryKey, next);
    setEnded(undefined);
    // Another key may see other things.
    if (isAnother) await queries.resetQueries();
    else await queries.invalidateQueries();
  };
  return (
    <Dialog title="Sign in again" onClose={() => {}} closable={false}>
      <SignInForm onDone={done} note={`${sentence} The page and what is staged on it stay.`} />
    </Dialog>
  );
}

/** Forgets that a sign-in ended, as when the person signs out. */
export const forgetEnd = () => setEnded(undefined);
