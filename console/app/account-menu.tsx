/**
 * The menu of the account: the key that is signed in, the colours, and signing out.
 */
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { queries } from "../api/queries.ts";
import { signOut } from "../api/sign-in.ts";
import { useViewer } from "../api/viewer.ts";
import { announceFailure } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions, Dialog } from "../parts/control/dialog.tsx";
import { Icon } from "../parts/control/icon.tsx";
import { letSingleKeysWork, singleKeysWork } from "../parts/control/keyboard.ts";
import { Menu, MenuGroup, MenuItem, menuItemClass } from "../parts/control/menu.tsx";
import { sentenceOf } from "../parts/page/refusal.tsx";
import { counted } from "../parts/text/counted.ts";
import { forgetDrafts } from "../sheet/draft/draft-store.ts";
import { useStagedZones } from "../sheet/draft/staged-zones.tsx";
import { UserReview } from "../users/user-review.tsx";
import css from "./shell.module.css";
import { forgetEnd } from "./sign-in.tsx";

export function AccountMenu({ onHelp }: { readonly onHelp: () => void }) {
  const { key, user, isAdministrator, readOnly } = useViewer();
  const [theme, setTheme] = useState(chosenTheme);
  const [single, setSingle] = useState(singleKeysWork);
  const navigate = useNavigate();
  const name = key?.name ?? "key";
  const role = user?.email ?? (isAdministrator ? "administrator" : "user");
  const fingerprint = key?.fingerprint ?? "none";
  const staged = [...useStagedZones(fingerprint).values()].reduce((sum, count) => sum + count, 0);
  const [isAsking, setAsking] = useState(false);
  const [isReviewing, setReviewing] = useState(false);
  // A key for some zones alone sets the review of each.
  const setsReview = user !== null && !readOnly && !key?.zones;
  const leave = async (keeps: boolean) => {
    setAsking(false);
    try {
      await signOut();
      if (!keeps) forgetDrafts(localStorage, fingerprint);
    } catch (error) {
      return announceFailure(`You are still signed in. ${sentenceOf(error)}`);
    }
    await navigate({ to: "/sign-in", search: {} });
    forgetEnd();
    queries.clear();
  };
  return (
    <>
      <Menu
        label={`Account: ${name}, ${role}${readOnly ? ", read-only" : ""}`}
        className={css.avatar}
        button={<span data-initials={initialsOf(user?.email ?? name)} />}
      >
        <MenuGroup
          title={
            <>
              <strong className={css.who}>{role}</strong>
              <br />
              Key {name}
              {key && (
                <>
                  {" · "}
                  <code>{key.fingerprint.slice(0, 8)}</code>
                </>
              )}
              {readOnly && (
                <>
                  <br />
                  This key may only read.
                </>
              )}
            </>
          }
        >
          {null}
        </MenuGroup>
        <MenuGroup title="Theme">
          {themes.map((each) => (
            <MenuItem
              key={each}
              aria-pressed={each === theme}
              onClick={() => {
                chooseTheme(each);
                setTheme(each);
              }}
            >
              <span className={css.mark}>{each === theme && <Icon name="check" />}</span>
              {{ system: "System", light: "Light", dark: "Dark" }[each]}
            </MenuItem>
          ))}
        </MenuGroup>
        <MenuGroup>
          {setsReview && (
            <MenuItem onClick={() => setReviewing(true)}>
              <span className={css.mark} />
              Review of my zones…
            </MenuItem>
          )}
          <Link to="/settings" className={menuItemClass}>
            <span className={css.mark} />
            Settings
          </Link>
          <MenuItem onClick={onHelp}>
            <span className={css.mark} />
            Keyboard
          </MenuItem>
          <MenuItem
            aria-pressed={single}
            onClick={() => {
              letSingleKeysWork(!single);
              setSingle(!single);
            }}
          >
            <span className={css.mark}>{single && <Icon name="check" />}</span>
            Keys of a single letter
          </MenuItem>
          <a href="/graphiql/" className={menuItemClass}>
            <span className={css.mark} />
            GraphiQL
          </a>
          <MenuItem onClick={() => (staged > 0 ? setAsking(true) : void leave(true))}>
            <span className={css.mark}>
              <Icon name="out" />
            </span>
            Sign out
          </MenuItem>
        </MenuGroup>
      </Menu>
      {isReviewing && user && <UserReview user={user} onClose={() => setReviewing(false)} />}
      {isAsking && <SignOut staged={staged} onClose={() => setAsking(false)} onLeave={(keeps) => void leave(keeps)} />}
    </>
  );
}

/** The two letters that stand for a person or a key. */
function initialsOf(name: string): string {
  const [first = "", second = ""] = name.replace(/@.*/, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return second === "" ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1);
}

interface Props {
  readonly staged: number;
  readonly onClose: () => void;
  /** Signs out. */
  readonly onLeave: (keeps: boolean) => void;
}

/**
 * Signing out while edits are staged: asks whether this browser keeps them for the next sign-in with the same
 * key.
 */
function SignOut({ staged, onClose, onLeave }: Props) {
  return (
    <Dialog title={`Sign out with ${counted(staged, "edit")}?`} onClose={onClose}>
      <p>
        They are kept in this browser and are there again when you sign in with the same key. On a computer of others,
        discard them.
      </p>
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" onClick={() => onLeave(false)}>
          Discard and sign out
        </Button>
        <Button kind="primary" onClick={() => onLeave(true)}>
          Keep and sign out
        </Button>
      </Actions>
    </Dialog>
  );
}

/** Light, dark, or as the system has it; kept in this browser. theme-start.js applies it before the first paint. */
const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const name = "zonesmith.theme";

/** The theme that was chosen in this browser. */
function chosenTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Shows a theme from now on. */
function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(name);
    else localStorage.setItem(name, theme);
  } catch {
    // Storage is off: it holds for this page.
  }
}
