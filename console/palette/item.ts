/** What the palette lists: its groups, and their items. */
import type { ReactNode } from "react";
import type { IconName } from "../parts/control/button.tsx";

/** The groups, in their order. */
export const groupTitles = {
  visited: "Last visited",
  records: "Records",
  zones: "Zones",
  changes: "Changes",
  people: "People and keys",
  servers: "Servers",
  goTo: "Go to",
  do: "Do",
} as const;

export type GroupName = keyof typeof groupTitles;

/** How many items a group shows at first, and at most. */
export const mostShown = { first: 5, expanded: 20 };

/** An address of the console. */
export interface Address {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
}

export interface Item {
  readonly id: string;
  readonly icon: IconName;
  readonly label: ReactNode;
  /** Beside the label, at its end. */
  readonly aside?: ReactNode;
  /** What choosing it opens. */
  readonly to?: Address | (() => Promise<Address>);
  /** What choosing it does, where it opens no page. */
  readonly act?: () => void;
  /** Whether the palette is still there once it was chosen. */
  readonly staysOpen?: boolean;
}

/** Items of a group, and how many there are. */
export interface Group {
  readonly name: GroupName;
  readonly items: readonly Item[];
  readonly count?: number;
}

/**
 * The groups as they are shown: those that have something loaded in their order, then those that only the service knows, so that its answer
 * moves nothing.
 */
export function mergedGroups(loaded: readonly Group[], found: readonly Group[]): readonly Required<Group>[] {
  const groupOf = (groups: readonly Group[], name: GroupName) =>
    groups.find((group) => group.name === name && group.items.length > 0);
  const names = Object.keys(groupTitles) as GroupName[];
  return names
    .toSorted((one, other) => Number(!groupOf(loaded, one)) - Number(!groupOf(loaded, other)))
    .flatMap((name) => {
      const [early, late] = [groupOf(loaded, name), groupOf(found, name)];
      const items = [
        ...new Map([...(early?.items ?? []), ...(late?.items ?? [])].map((item) => [item.id, item])).values(),
      ];
      return items.length > 0 ? [{ name, items, count: Math.max(items.length, late?.count ?? 0) }] : [];
    });
}
