/** The places that the header leads to, as far as a key may see them, and the letters that lead to a page after g. */
interface Place {
  readonly to: "/zones" | "/activity" | "/check" | "/servers" | "/settings";
  readonly label: string;
  readonly letter: string;
  /** The pages of the place besides those below its own address. */
  readonly others?: RegExp;
  readonly isForAdministrators?: boolean;
}

export const places: readonly Place[] = [
  { to: "/zones", label: "Zones", letter: "z" },
  { to: "/activity", label: "Activity", letter: "a", others: /^\/changes\// },
  { to: "/check", label: "Check", letter: "f" },
  { to: "/servers", label: "Servers", letter: "v", isForAdministrators: true },
  { to: "/settings", label: "Settings", letter: "s" },
];

export const placesOf = (isAdministrator: boolean) =>
  places.filter((place) => isAdministrator || !place.isForAdministrators);

/** The pages of Settings; a search of Ctrl+K finds them too. */
const settings = [
  { to: "/settings/keys", label: "API keys" },
  { to: "/settings/tsig", label: "TSIG keys" },
  { to: "/settings/users", label: "Users", isForAdministrators: true },
  { to: "/settings/webhooks", label: "Webhooks" },
  { to: "/settings/templates", label: "Templates" },
  { to: "/settings/deleted", label: "Deleted zones" },
  { to: "/settings/about", label: "About" },
] as const;

export const settingsOf = (isAdministrator: boolean) =>
  settings.filter((page) => isAdministrator || !("isForAdministrators" in page));

interface Address {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

/** Where the letters of the former pages lead after g: history, change sets, keys, status. */
const formerLetters: Readonly<Record<string, Address>> = {
  h: { to: "/activity" },
  c: { to: "/activity", search: { kind: "reviews" } },
  k: { to: "/settings/keys" },
  t: { to: "/zones" },
};

/** Where a letter leads after g, for a viewer who may go there. */
export const addressOfLetter = (letter: string, isAdministrator: boolean): Address | undefined =>
  placesOf(isAdministrator).find((place) => place.letter === letter) ?? formerLetters[letter];
