/**
 * Signing in: one field, as a page of its own before anything else, and over the page when a sign-in ends while it is open. And signing
 * out, which asks for edits that are staged.
 */
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, useNavigate, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useSyncExternalStore } from "react";
import { queries } from "../api/queries.ts";
import { observe, Refused } from "../api/run.ts";
import { storeOf } from "../api/store.ts";
import { readViewer, signIn, signOut, useViewer, type Viewer, viewerOptions } from "../api/viewer.ts";
import { forgetVisited } from "../palette/visited.ts";
import { announceFailure } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions, Dialog } from "../parts/control/dialog.tsx";
import { Field } from "../parts/control/field.tsx";
import look from "../parts/look.module.css";
import { Refusal, sentenceOf, useTitle } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { forgetDrafts, moveDrafts } from "../sheet/draft/draft-store.ts";
import { useStagedZones } from "../sheet/draft/staged-zones.tsx";
import { ownPath } from "./search-text.ts";
import css from "./sign-in.module.css";

/** The form; `onDone` is called when the service has accepted the key. */
function SignInForm({ onDone, note }: { readonly onDone: () => Promise<void>; readonly note?: string | undefined }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const sending = useMutation({
    mutationFn: async (input: HTMLInputElement) => {
      await signIn(input.value.trim());
      input.value = "";
      await onDone();
    },
    onError: (_, input) => input.select(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate(field.current as HTMLInputElement);
  };
  const { error } = sending;
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
      {error && ofKey === undefined && <Refusal error={error} />}
      <div>
        <Button kind="primary" type="submit" busy={sending.isPending}>
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
    ended.set(undefined);
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

/** The sentence that says why the sign-in ended; undefined while it lasts. */
const ended = storeOf<string | undefined>(undefined);

observe({ signedOut: ended.set });

/** The form over the page once the sign-in has ended; the page below stays as it was. */
export function SignInAgain({ viewer }: { readonly viewer: Viewer }) {
  const sentence = useSyncExternalStore(ended.subscribe, ended.get);
  if (sentence === undefined) return null;
  const done = async () => {
    const next = await readViewer();
    const isAnother = next.key?.id !== viewer.key?.id;
    const isSamePerson = next.role === viewer.role && next.user?.id === viewer.user?.id;
    // What is staged goes along with the person, before anything is shown of the other key.
    if (isAnother && isSamePerson && viewer.key && next.key)
      moveDrafts(localStorage, viewer.key.fingerprint, next.key.fingerprint);
    queries.setQueryData(viewerOptions.queryKey, next);
    ended.set(undefined);
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
    ended.set(undefined);
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
