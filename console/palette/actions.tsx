/** What can be done from the palette, as items of its last group. */
import { graphql, run } from "../api/run.ts";
import type { Viewer } from "../api/viewer.ts";
import { exportUrl } from "../api/zone.ts";
import type { IconName } from "../parts/control/button.tsx";
import { chooseTheme, themes, themeWords } from "../parts/control/theme.ts";
import { counted } from "../parts/text/counted.ts";
import type { Answer } from "./answer.tsx";
import type { Address, Item } from "./item.ts";
import { hasWords, isAddress } from "./sought.ts";

/** What the palette opens over the page in place of itself. */
export type Opened = "signOut" | { readonly address: string };

interface ActionsOptions {
  readonly text: string;
  readonly viewer: Viewer;
  /** The zone that actions are about. */
  readonly zone: string | undefined;
  /** Whether the text is the beginning of its name. */
  readonly isNamed?: boolean;
  readonly onOpen: (what: Opened) => void;
}

const newestChange = graphql(`
  query NewestChange($zone: String!) {
    changes(filter: { zone: $zone }, first: 1) { nodes { id } }
  }
`);

function download(zone: string): void {
  const link = document.createElement("a");
  link.href = exportUrl(zone);
  link.download = `${zone}.zone`;
  link.click();
}

const toZone = (zone: string, search: Readonly<Record<string, string>>): Address => ({
  to: "/zones/$zone",
  params: { zone },
  search,
});

/** The actions whose words are in the text, and those about the zone that it names. */
export function actionsOf({ text, viewer, zone, isNamed = false, onOpen }: ActionsOptions): readonly Item[] {
  const { readOnly } = viewer;
  const isAdministrator = viewer.role === "ADMINISTRATOR";
  const items: Item[] = [];
  const add = (isOffered: boolean, icon: IconName, label: string, chosen: Pick<Item, "to" | "act">) => {
    // The words of an action are not those of its zone.
    const isMeant = zone !== undefined && label.includes(zone) && isNamed;
    if (isOffered && (isMeant || hasWords(label.replace(zone ?? "", ""), text)))
      items.push({ id: `do ${label}`, icon, label, ...chosen });
  };
  add(!readOnly, "plus", "New zone", { to: { to: "/zones", search: { new: "zone" } } });
  if (zone) {
    const undo = async () => {
      const { changes } = await run(newestChange, { zone });
      return toZone(zone, { undo: changes?.nodes[0]?.id ?? "" });
    };
    add(!readOnly, "plus", `Add record to ${zone}`, { to: toZone(zone, { add: "1" }) });
    add(!readOnly, "download", `Import into ${zone}…`, { to: toZone(zone, { import: "1" }) });
    add(true, "download", `Export ${zone}`, { act: () => download(zone) });
    add(!readOnly, "undo", `Undo last change of ${zone}…`, { to: undo });
  }
  add(!readOnly, "key", "New key", { to: { to: "/settings/keys", search: { new: "key" } } });
  add(!readOnly && isAdministrator, "plus", "Add server", { to: { to: "/servers", search: { new: "server" } } });
  for (const theme of themes) add(true, "check", `Theme: ${themeWords[theme]}`, { act: () => chooseTheme(theme) });
  add(true, "out", "Sign out", { act: () => onOpen("signOut") });
  return items;
}

interface AddressOptions {
  readonly address: string;
  readonly records: Answer["records"] | undefined;
  readonly readOnly: boolean;
  readonly zone: string | undefined;
  readonly onOpen: (what: Opened) => void;
}

/** What can be done with an address, and the records that have it. */
export function addressActionsOf({ address, records, readOnly, zone, onOpen }: AddressOptions): readonly Item[] {
  if (readOnly || !isAddress(address)) return [];
  const holders = (records?.nodes ?? []).filter(({ type }) => type === "A" || type === "AAAA");
  const zones = new Set(holders.map((record) => record.zone));
  const where = records && records.count > records.nodes.length ? "all zones" : counted(zones.size, "zone");
  const to = zone ?? holders[0]?.zone;
  const items: Item[] = [];
  if (holders.length > 0) {
    const label = `Change ${address} in ${where}…`;
    items.push({ id: "change-address", icon: "pencil", label, act: () => onOpen({ address }) });
  }
  if (to !== undefined)
    items.push({ id: "add-address", icon: "plus", label: `Add ${address} to ${to}`, to: toZone(to, { add: address }) });
  return items;
}
