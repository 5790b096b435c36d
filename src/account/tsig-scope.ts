/**
 * The scope of a TSIG key in dynamic updates: zones, owners and types. A user's key without zones reaches all of the user's domains. A key
 * without a user reaches only the zones that it names; so the key of a secondary, which names no zones, writes nothing. In patterns `*`
 * stands for any characters, dots included: `_acme-challenge*` matches `_acme-challenge` and `_acme-challenge.www`.
 */
import { parseZoneName } from "../dns/name.ts";
import { mustBeCreatable, recordType } from "../dns/rdata/record-type-registry.ts";
import { Refusal } from "../errors.ts";
import type { Actor } from "../session/authorization.ts";
import { parseField } from "../session/parse-field.ts";

/** The scope of a key; null means every zone of its user, every owner or every type. */
export interface TsigScope {
  readonly name: string;
  readonly userId: number | null;
  readonly zones: readonly string[] | null;
  readonly owners: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly exemptFromReview?: boolean;
}

/** The actor of a key, as the journal names it. */
export function actorOfTsig({ name, userId, exemptFromReview = false }: TsigScope): Actor {
  return {
    role: userId === null ? "administrator" : "user",
    userId,
    readOnly: false,
    exemptFromReview,
    name: `${name} (TSIG)`,
  };
}

/** Whether the patterns of a key match a zone. Whether the zone belongs to the key's user is checked elsewhere. */
export function reachesZone({ userId, zones }: Pick<TsigScope, "userId" | "zones">, zone: string): boolean {
  return zones ? zones.some((pattern) => matches(pattern, zone)) : userId !== null;
}

/** Whether a text matches a pattern, in which `*` stands for any characters. Takes time in the product of the two lengths at most. */
export function matches(pattern: string, text: string): boolean {
  let [at, next, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[next] === "*") {
      star = next++;
      mark = at;
    } else if (next < pattern.length && pattern[next] === text[at]) {
      next += 1;
      at += 1;
    } else if (star >= 0) {
      next = star + 1;
      at = ++mark;
    } else {
      return false;
    }
  }
  while (pattern[next] === "*") next += 1;
  return next === pattern.length;
}

export interface ScopeFields {
  readonly zones?: readonly string[] | null | undefined;
  readonly owners?: readonly string[] | null | undefined;
  readonly types?: readonly string[] | null | undefined;
}

const maxPatterns = 100;

/** Returns a scope in canonical form; throws INVALID_VALUE when it is not a scope. */
export function readScope(fields: ScopeFields): Record<keyof ScopeFields, string[] | null> {
  return {
    zones: readList(fields.zones, "zones", (zone, field) =>
      zone.includes("*") ? readPattern(zone, field) : parseField(field, () => parseZoneName(zone)),
    ),
    owners: readList(fields.owners, "owners", readPattern),
    types: readList(fields.types, "types", (type, field) =>
      parseField(field, () => mustBeCreatable(recordType(type)).mnemonic),
    ),
  };
}

function readList(
  list: readonly string[] | null | undefined,
  name: string,
  read: (text: string, field: string) => string,
): string[] | null {
  if (list === null || list === undefined) return null;
  if (list.length === 0 || list.length > maxPatterns) {
    const message = `${name} holds ${list.length}; write 1 to ${maxPatterns}, or leave it out for no bound.`;
    throw new Refusal("INVALID_VALUE", message, { field: name });
  }
  return [...new Set(list.map((text, at) => read(text, `${name}.${at}`)))];
}

/** Returns a pattern in lower case. The pattern of an owner is relative to the zone; `@` is the apex. */
function readPattern(text: string, field: string): string {
  if (/^(@|[\x21-\x7e]{1,255})$/.test(text) && !text.endsWith(".")) return text.toLowerCase();
  const message = `${field} is not a pattern; write a name without trailing dot in which * stands for any characters.`;
  throw new Refusal("INVALID_VALUE", message, { field });
}
