/**
 * The pages that the header leads to, as far as a key may see them.
 */
interface Place {
  readonly to: string;
  readonly label: string;
  /** The letter that leads there after g. */
  readonly letter?: string;
  readonly isForAdministrators?: boolean;
}

export const places: readonly Place[] = [
  { to: "/zones", label: "Zones", letter: "z" },
  { to: "/search", label: "Search", letter: "s" },
  { to: "/history", label: "History", letter: "h" },
  { to: "/changesets", label: "Change sets", letter: "c" },
  { to: "/status", label: "Status", letter: "t" },
  { to: "/servers", label: "Servers", letter: "v", isForAdministrators: true },
  { to: "/refusals", label: "Refusals" },
  { to: "/audit", label: "Audit" },
  { to: "/keys", label: "Keys", letter: "k" },
  { to: "/webhooks", label: "Webhooks" },
  { to: "/users", label: "Users", isForAdministrators: true },
];

/** The places that a viewer may go to. */
export const placesOf = (isAdministrator: boolean) =>
  places.filter((place) => isAdministrator || !place.isForAdministrators);
