/**
 * The quotas of a user on the command line: how limits are written, and how they are shown with what is used of them.
 */
import type { Column, Row } from "../terminal/print.ts";

/** The options that set a limit, by the quota's name in GraphQL. */
export const limitOptions = {
  domains: { flag: "domains", counts: "domains of the user" },
  recordsPerDomain: { flag: "records-per-domain", counts: "records of each domain" },
  records: { flag: "records", counts: "records of all domains" },
  changesPerDay: { flag: "changes", counts: "changes a day, UTC" },
} as const;

type LimitName = keyof typeof limitOptions;
const limitNames = Object.keys(limitOptions) as readonly LimitName[];

/** The limits that were written, as the mutation takes them. */
export function limitsOf(options: Readonly<Record<string, string | boolean | undefined>>): Row {
  const written = limitNames.flatMap((name) => {
    const { flag } = limitOptions[name];
    const text = options[flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    return text === undefined ? [] : [[name, limitOf(flag, String(text))] as const];
  });
  return Object.fromEntries(written);
}

function limitOf(flag: string, text: string): object {
  if (text === "default") return { isDefault: true };
  if (text === "none") return { limit: null };
  if (/^\d{1,10}$/.test(text)) return { limit: Number(text) };
  throw new Error(`--${flag} is ${text}; write a number, none, or default.`);
}

/** What is read of a user for `quotaColumns`. */
export const quotaFields = `quota { ${limitNames.map((name) => `${name} { limit isDefault usage }`).join(" ")} }`;

interface Quota {
  readonly limit: number | null;
  readonly isDefault: boolean;
  readonly usage: number | null;
}

/** A limit, after what is used of it. */
function limitText({ limit, isDefault, usage }: Quota): string {
  const shown = limit === null ? "no limit" : `${usage === null ? "" : "of "}${limit}`;
  const source = isDefault ? "" : ", set for the user";
  return `${[usage, shown].filter((each) => each !== null).join(limit === null ? ", " : " ")}${source}`;
}

const column = (heading: string, name: LimitName): Column => [
  heading,
  `quota.${name}`,
  (quota) => limitText(quota as Quota),
];

export const quotaColumns: readonly Column[] = [
  column("domains", "domains"),
  column("records", "records"),
  column("records of a domain", "recordsPerDomain"),
  column("changes today", "changesPerDay"),
];
