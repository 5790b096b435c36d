/**
 * The quotas of a user on the command line: how limits are written, and how they are shown with what is used of them.
 */
import type { Column, Row } from "./print.ts";

/** The options that set a limit, by the quota's name in GraphQL. */
export const limitOptions = {
  domains: { flag: "domains", counts: "domains of the user" },
  recordsPerDomain: { flag: "records-per-domain", counts: "records of each domain" },
  records: { flag: "records", counts: "records of all domains" },
  changesPerDay: { flag: "changes", counts: "changes a day, UTC" },
} as const;

type LimitName = keyof typeof limitOptions;
const limitNames = Object.keys(limitOptions) as readonly LimitName[];

/** The limits that were written, as the mutation takes them: -1 for none, null for the default. */
export function limitsOf(options: Readonly<Record<string, string | boolean | undefined>>): Row {
  const written = limitNames.flatMap((name) => {
    const { flag } = limitOptions[name];
    const text = options[flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    return text === undefined ? [] : [[name, limitOf(flag, String(text))] as const];
  });
  return Object.fromEntries(written);
}

function limitOf(flag: string, text: string): number | null {
  if (text === "default") return null;
  if (text === "none") return -1;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`--${flag} is ${text}; write a number, none, or default.`);
}

/** What is read of a user for `quotaColumns`. */
export const quotaFields = `usage { domains records changesToday } quota { ${limitNames
  .map((name) => `${name} { limit isDefault }`)
  .join(" ")} }`;

interface Limited {
  readonly usage: { readonly domains: number; readonly records: number; readonly changesToday: number };
  readonly quota: Readonly<Record<LimitName, { readonly limit: number | null; readonly isDefault: boolean }>>;
}

/** A limit, after what is used of it. */
function limitText({ quota }: Limited, name: LimitName, used?: number): string {
  const { limit, isDefault } = quota[name];
  const shown = limit === null ? "no limit" : `${used === undefined ? "" : "of "}${limit}`;
  const source = isDefault ? "" : ", set for the user";
  return `${[used, shown].filter((each) => each !== undefined).join(limit === null ? ", " : " ")}${source}`;
}

const column = (heading: string, name: LimitName, used?: (usage: Limited["usage"]) => number): Column => [
  heading,
  "",
  (row) => limitText(row as Limited, name, used?.((row as Limited).usage)),
];

export const quotaColumns: readonly Column[] = [
  column("domains", "domains", (usage) => usage.domains),
  column("records", "records", (usage) => usage.records),
  column("records of a domain", "recordsPerDomain"),
  column("changes today", "changesPerDay", (usage) => usage.changesToday),
];
