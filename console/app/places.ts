/**
 * The pages that the header leads to, as far as a key may see them.
 */
interface Place {
  readonly to: string;
  readonly label: string;
  readonly isForAdministrators?: boolean;
}

export const places: readonly Place[] = [
  { to: "/zones", label: "Zones" },
  { to: "/search", label: "Search" },
  { to: "/history", label: "History" },
  { to: "/changesets", label: "Change sets" },
  { to: "/status", label: "Status" },
  { to: "/servers", label: "Servers", isForAdministrators: true },
  { to: "/refusals", label: "Refusals" },
  { to: "/audit", label: "Audit" },
  { to: "/keys", label: "Keys" },
  { to: "/webhooks", label: "Webhooks" },
  { to: "/users", label: "Users", isForAdministrators: true },
];

/** The places that a viewer may go to. */
export const placesOf = (isAdministrator: boolean) =>
  places.filter((place) => isAdministrator || !place.isForAdministrators);
