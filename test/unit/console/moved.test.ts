/** The addresses of the console's first edition lead to the pages of today. */
import { expect, test } from "@jest/globals";
import { presentAddress } from "../../../console/app/moved.ts";

const addressOf = (path: string, search: Record<string, string> = {}) => {
  const address = presentAddress(path, search);
  return address && `${address.to}?${new URLSearchParams(address.search as Record<string, string>)}`;
};

test.each([
  ["/status", "/zones?"],
  ["/zones/a.example/import", "/zones/a.example?import=1"],
  ["/history", "/activity?zone=a.example"],
  ["/audit", "/activity?zone=a.example&kind=access"],
  ["/refusals", "/activity?zone=a.example&kind=refused"],
  ["/changesets", "/activity?zone=a.example&kind=reviews"],
  ["/changes", "/activity?"],
  ["/history/17", "/changes/17?"],
  ["/changesets/17", "/changes/17?"],
  ["/zones/a.example/at", "/zones/a.example/history?"],
  ["/zones/a.example/at/2026112401", "/zones/a.example/history/2026112401?"],
  ["/keys", "/settings/keys?"],
  ["/keys/tsig", "/settings/tsig?"],
  ["/webhooks/4", "/settings/webhooks/4?"],
  ["/templates/new", "/settings/templates/new?"],
  ["/deleted/3", "/settings/deleted/3?"],
  ["/deleted/3/rrset", "/settings/deleted/3?"],
  ["/zones/a.example/rrset", "/zones/a.example/history?"],
  ["/about", "/settings/about?"],
])("%s leads to %s", (former, expected) => {
  expect(addressOf(former, expected.includes("zone=") ? { zone: "a.example" } : {})).toBe(expected);
});

test.each(["/zones", "/zones/a.example/records", "/nothing", "/keys-of-mine", "/settings/keys"])(
  "%s was no address of another page",
  (path) => {
    expect(addressOf(path)).toBeUndefined();
  },
);
