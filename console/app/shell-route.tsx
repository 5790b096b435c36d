/**
 * The root of all addresses: the page to sign in at, and what surrounds the pages of one who is signed in.
 */
import { createRootRoute, createRoute, redirect } from "@tanstack/react-router";
import { queries } from "../api/queries.ts";
import { signInOptions } from "../api/sign-in.ts";
import { viewerOptions } from "../api/viewer.ts";
import { ownPath, searchOf } from "./search-text.ts";
import { Shell } from "./shell.tsx";
import { SignInPage } from "./sign-in.tsx";

export const root = createRootRoute();

export const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: searchOf({ to: ownPath }),
  component: SignInPage,
});

/** The pages of one who is signed in. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ location }) => {
    const isKnown = queries.getQueryData(viewerOptions.queryKey) !== undefined;
    if (!isKnown && (await queries.fetchQuery(signInOptions)) === null)
      throw redirect({ to: "/sign-in", search: { to: ownPath(`/console${location.href}`) }, replace: true });
    await queries.ensureQueryData(viewerOptions);
  },
});
