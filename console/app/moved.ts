/**
 * The present address of each page that had another before: bookmarks and links of messages lead on for good. A query goes along.
 */
const moved: readonly (readonly [former: RegExp, present: string])[] = [
  [/^\/status$/, "/zones"],
  [/^\/history$/, "/activity"],
  [/^\/audit$/, "/activity?kind=access"],
  [/^\/refusals$/, "/activity?kind=refused"],
  [/^\/changesets$/, "/activity?kind=reviews"],
  [/^\/changes$/, "/activity"],
  [/^\/(?:history|changesets)\/([^/]+)$/, "/changes/$1"],
  [/^\/zones\/([^/]+)\/at$/, "/zones/$1/history"],
  [/^\/zones\/([^/]+)\/at\/([^/]+)$/, "/zones/$1/history/$2"],
  [/^\/zones\/([^/]+)\/rrset$/, "/zones/$1/history"],
  [/^(?:\/settings)?\/deleted\/([^/]+)\/rrset$/, "/settings/deleted/$1"],
  [/^\/zones\/([^/]+)\/import$/, "/zones/$1?import=1"],
  [/^\/keys\/tsig$/, "/settings/tsig"],
  [/^\/((?:keys|users|webhooks|templates|deleted|about)(?:\/.*)?)$/, "/settings/$1"],
];

/** The address of what was at a path, with the parameters of its query; undefined where nothing was. */
export function presentAddress(path: string, search: Readonly<Record<string, unknown>>) {
  const move = moved.find(([former]) => former.test(path));
  if (!move) return undefined;
  const [to = "", own = ""] = path.replace(...move).split("?");
  return { to, search: { ...search, ...Object.fromEntries(new URLSearchParams(own)) } };
}
