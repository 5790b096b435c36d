/** The menu of the account: the key that is signed in, the colours, and signing out. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { Icon } from "../parts/control/button.tsx";
import { letSingleKeysWork, singleKeysWork } from "../parts/control/keyboard.ts";
import { lazily } from "../parts/control/lazily.tsx";
import { Menu, MenuGroup, MenuItem, menuItemClass } from "../parts/control/menu.tsx";
import { chooseTheme, chosenTheme, themes, themeWords } from "../parts/control/theme.ts";
import look from "../parts/look.module.css";
import { initialsOf } from "../parts/text/author.ts";
import css from "./shell.module.css";

// It is no part of the first page.
const UserReview = lazily(async () => (await import("../users/users.tsx")).UserReview);

interface AccountMenuProps {
  readonly onHelp: () => void;
  readonly onSignOut: () => void;
}

export function AccountMenu({ onHelp, onSignOut }: AccountMenuProps) {
  const { key, user, isAdministrator, readOnly } = useViewer();
  // The palette chooses it too.
  const theme = chosenTheme();
  const [, setTheme] = useState(theme);
  const [single, setSingle] = useState(singleKeysWork);
  const name = key?.name ?? "key";
  const role = user?.email ?? (isAdministrator ? "administrator" : "user");
  const [isReviewing, setReviewing] = useState(false);
  // A key for some zones alone sets the review of each.
  const setsReview = user !== null && !readOnly && !key?.zones;
  return (
    <>
      <Menu
        label={`Account: ${name}, ${role}${readOnly ? ", read-only" : ""}`}
        className={`${look.avatar} ${css.avatar}`}
        button={<span data-initials={initialsOf(user?.email ?? name)} />}
      >
        <MenuGroup
          title={
            <>
              <strong>{role}</strong>
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
              {themeWords[each]}
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
          <MenuItem onClick={onSignOut}>
            <span className={css.mark}>
              <Icon name="out" />
            </span>
            Sign out
          </MenuItem>
        </MenuGroup>
      </Menu>
      {isReviewing && user && <UserReview user={user} onClose={() => setReviewing(false)} />}
    </>
  );
}
