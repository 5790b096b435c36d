/**
 * Labels: names with values by which users group domains, such as `env=prod`, in the form of Kubernetes labels. They are stored beside
 * the zone and select domains and records.
 */

import { Refusal } from "../errors.ts";
import type { Selector } from "../lists/relation.ts";
import { type Sql, sql } from "../sql/sql.ts";

export interface Label {
  readonly name: string;
  readonly value: string;
}

export type Labels = Readonly<Record<string, string>>;

export const maxLabels = 32;

const word = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const prefix = /^(?=.{1,253}\/)([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\//;

/** Parses the labels of a domain; throws INVALID_VALUE for too many labels, for a repeated name, and for an invalid name or value. */
export function readLabels(labels: readonly Label[], field = "labels"): Labels {
  if (labels.length > maxLabels) throw refused(field, `write at most ${maxLabels} labels`);
  const names = new Set<string>();
  for (const [at, { name, value }] of labels.entries()) {
    checkName(name, `${field}.${at}.name`);
    checkValue(value, `${field}.${at}.value`);
    if (names.has(name)) throw refused(`${field}.${at}.name`, `${name} is written twice; write it once`);
    names.add(name);
  }
  return Object.fromEntries(labels.map(({ name, value }) => [name, value]));
}

export function listedLabels(labels: Labels): Label[] {
  const names = Object.keys(labels).toSorted();
  return names.map((name) => ({ name, value: labels[name] as string }));
}

/** Labels to search for: `values` with a value, `names` with any value. */
interface SoughtLabels {
  readonly values: Labels;
  readonly names: readonly string[];
}

function readSought(texts: readonly string[]): SoughtLabels {
  const values: [string, string][] = [];
  const names: string[] = [];
  for (const [at, text] of texts.entries()) {
    const [name = "", ...value] = text.split("=");
    checkName(name, `labels.${at}`);
    checkValue(value.join("="), `labels.${at}`);
    if (value.length > 0) values.push([name, value.join("=")]);
    else names.push(name);
  }
  const isTwofold = values.some(([name, value]) => values.some((other) => other[0] === name && other[1] !== value));
  if (isTwofold) throw refused("labels", "a label has one value; write it with one");
  return { values: Object.fromEntries(values), names };
}

/** Selects by labels, each as `env=prod` or `env`; all must match. */
export const withLabels = (column: Sql): Selector<readonly string[], SoughtLabels> => ({
  read: readSought,
  where: ({ values, names }) =>
    sql<boolean>`(${column} @> ${JSON.stringify(values)}::jsonb and ${column} ?& ${names}::text[])`,
});

function checkName(name: string, field: string): void {
  if (word.test(name.replace(prefix, ""))) return;
  const form =
    "letters, digits, -, _ and . (63 at most, a letter or a digit first and last); a DNS name and / may precede them";
  throw refused(field, `${shown(name)} is not the name of a label; write ${form}`);
}

function checkValue(value: string, field: string): void {
  if (value === "" || word.test(value)) return;
  const form = "letters, digits, -, _ and . (63 at most, a letter or a digit first and last), or nothing";
  throw refused(field, `${shown(value)} is not the value of a label; write ${form}`);
}

const shown = (text: string) => JSON.stringify(text.slice(0, 80));

const refused = (field: string, advice: string) => new Refusal("INVALID_VALUE", `${field}: ${advice}.`, { field });
