/**
 * Names in Unicode and with A-labels (RFC 5890), as the browser converts them: both forms find a record. The service decides what is
 * stored.
 */
/// <reference path="./punycode.d.ts" />
import punycode from "punycode.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);

/** Characters that a URL does not read as part of a host. */
const notOfHosts = /[\s/\\:?#@%[\]]/;

function asciiLabel(label: string): string {
  if (isAscii(label) || notOfHosts.test(label)) return label;
  try {
    return new URL(`http://${label}`).hostname;
  } catch {
    return label;
  }
}

/** A name, or a part of one, with its labels in Unicode as A-labels. */
function asciiName(name: string): string {
  return isAscii(name) ? name : name.split(".").map(asciiLabel).join(".");
}

/** An owner in the form that the service most likely stores: relative to the zone and in lower case. */
export function plainOwner(owner: string, zone: string): string {
  const name = asciiName(owner.trim().toLowerCase());
  if (name === "" || name === "@" || name === `${zone}.`) return "@";
  return name.endsWith(`.${zone}.`) ? name.slice(0, -zone.length - 2) : name;
}

const shownLabels = new Map<string, string>();

/** An A-label in Unicode, if the Unicode form leads back to it. */
function unicodeLabel(label: string): string {
  let shown = shownLabels.get(label);
  if (shown === undefined) {
    try {
      const unicode = punycode.toUnicode(label);
      shown = asciiLabel(unicode) === label ? unicode : label;
    } catch {
      shown = label;
    }
    shownLabels.set(label, shown);
  }
  return shown;
}

/** A text, such as an owner or data with names in it, with its A-labels in Unicode. */
export function unicodeText(text: string): string {
  return text.includes("xn--") ? text.replace(/(?<![\w-])xn--[a-z0-9-]+/g, unicodeLabel) : text;
}

/** A text in lower case in all forms by which it is found. */
export function searchText(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower.includes("xn--") ? `${lower}\n${unicodeText(lower)}` : lower;
  const normal = lower.normalize("NFC");
  return `${normal}\n${normal.split(" ").map(asciiName).join(" ")}`;
}
