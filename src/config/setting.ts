/** The kinds of settings, each with its parser, and parsers of single values, also as items of a list. */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { serverConfig, serverUrls } from "../database/database-url.ts";

/** A setting: its default as text, its description, and its parser, which throws a sentence when the value is invalid. */
export interface Setting<T> {
  readonly default: string;
  readonly description: string;
  readonly secret?: boolean;
  readonly parse: (value: string) => T;
}

export const text = (defaultText: string, description: string): Setting<string> => ({
  default: defaultText,
  description,
  parse: (value) => value,
});

/** A text that a parser of single values reads. */
export const one = <T>(defaultText: string, description: string, parse: (value: string) => T): Setting<T> => ({
  ...text(defaultText, description),
  parse,
});

/** The path of a file or folder, relative to the working folder at the start. The value is an absolute path, or empty. */
export const path = (defaultText: string, description: string) =>
  one(defaultText, description, (value) => (value === "" ? "" : resolve(value)));

/** A text that is never shown and may come from a file (NAME_FILE); empty by default. */
export const secret = (description: string): Setting<string> => ({ ...text("", description), secret: true });

/** The URL of a PostgreSQL, which may name several servers. */
export const database = (description: string): Setting<string> => ({
  ...secret(description),
  parse: (value) => {
    if (value !== "") serverUrls(value).map(serverConfig);
    return value;
  },
});

/** The least and the greatest value. */
type Range = readonly [min: number, max: number];

/** A whole number in a range; the description ends with the range. */
export function integer(defaultValue: number, [min, max]: Range, description: string): Setting<number> {
  const parse = (value: string) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Error(`write a whole number from ${min} to ${max}`);
  };
  return { default: String(defaultValue), description: `${description} (${min} to ${max})`, parse };
}

/** A whole number in a range, or 0. */
export function integerOrZero(defaultValue: number, range: Range, description: string): Setting<number> {
  const number = integer(defaultValue, range, description);
  return { ...number, parse: (value) => (value === "0" ? 0 : number.parse(value)) };
}

/** A whole number in a range; undefined when it is unset. */
export function optionalInteger(range: Range, description: string): Setting<number | undefined> {
  const number = integer(range[0], range, description);
  return { ...number, default: "", parse: (value) => (value === "" ? undefined : number.parse(value)) };
}

export function choice<T extends string>(defaultValue: T, choices: readonly T[], description: string): Setting<T> {
  const parse = (value: string) => {
    if (choices.includes(value as T)) return value as T;
    throw new Error(`write one of ${choices.join(", ")}`);
  };
  return { default: defaultValue, description: `${description} (${choices.join(", ")})`, parse };
}

/** A list of items, separated by commas or white space. */
export function list<T>(
  defaultText: string,
  description: string,
  parseItem: (text: string) => T,
): Setting<readonly T[]> {
  const parse = (value: string) =>
    value
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(parseItem);
  return { default: defaultText, description, parse };
}

/** A full domain name that ends in a dot, at most 254 characters; returned in lower case. */
export const hostName = (value: string) => {
  if (/^([a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?\.)+$/i.test(value) && value.length <= 254) return value.toLowerCase();
  throw new Error(`"${value}" is not a full name; write one that ends in a dot, such as "ns1.example.net."`);
};

/** A mailbox as a domain name (RFC 1035 §8), or an e-mail address. Returned as a domain name in lower case; the last dot may be missing. */
export const mailbox = (value: string) => {
  try {
    return hostName(value.replace(/^([^@.]+)@(.*?)\.?$/, "$1.$2."));
  } catch {
    throw new Error(
      `"${value}" is not a mailbox; write one such as "hostmaster.example.net." or "hostmaster@example.net"`,
    );
  }
};

/** An IP address, or an address prefix with its length. */
export const addressPrefix = (value: string) => {
  const [, address = "", length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits > 0 && Number(length ?? bits) <= bits) return value;
  throw new Error(`"${value}" is not an address or a prefix; write one such as "10.1.0.0/16" or "127.0.0.1"`);
};

/** The origin of a web page (RFC 6454 §6.2): scheme, host and port. */
export const origin = (value: string) => {
  if (URL.canParse(value) && new URL(value).origin === value) return value;
  throw new Error(`"${value}" is not an origin; write one such as "https://app.example.com"`);
};

export const share = (value: string) => {
  if (/^(0|1|[01]?\.\d{1,9})$/.test(value) && Number(value) <= 1) return Number(value);
  throw new Error("write a number from 0 to 1");
};

/** The http or https URL of a service; empty for no service. */
export const endpoint = (value: string) => {
  if (value === "" || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return value;
  throw new Error(`"${value}" is not a URL; write one such as "http://127.0.0.1:4318"`);
};

/** A TTL, seconds from 0 to 2^31 - 1 (RFC 2181 §8). */
export const ttl = (value: string) => {
  if (/^\d{1,10}$/.test(value) && Number(value) <= 2147483647) return Number(value);
  throw new Error(`"${value}" is not a TTL; write seconds from 0 to 2147483647`);
};

/** The address of a name server, with its port unless that is 53; undefined for other text. */
export function nameServerAt(value: string): { readonly address: string; readonly port: number } | undefined {
  const [, v6, v4, port = "53"] = /^(?:\[(.*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(value) ?? [undefined, value];
  const address = v6 ?? v4 ?? "";
  return isIP(address) > 0 && Number(port) <= 65535 ? { address, port: Number(port) } : undefined;
}

export const nameServer = (value: string) => {
  if (value === "" || nameServerAt(value)) return value;
  throw new Error(`"${value}" is not an address; write one such as "127.0.0.1", "127.0.0.1:5353" or "[::1]:5353"`);
};
