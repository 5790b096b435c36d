import { describe, expect, test } from "@jest/globals";
import { Malformed } from "../../../src/dns/malformed.ts";
import {
  isWithin,
  lowerName,
  nameText,
  ownerName,
  ownerText,
  parseName,
  parseOwner,
  parseZoneName,
  unicodeName,
  zoneNameWire,
} from "../../../src/dns/name.ts";
import { addSerial, compareSerial, isOnWay, nextSerial, serial, serialIsGreater } from "../../../src/dns/serial.ts";

/** The reason and message of what is thrown, or the value. */
function outcome(use: () => unknown): unknown {
  try {
    return use();
  } catch (error) {
    if (error instanceof Malformed) return error.reason;
    throw error;
  }
}

describe("names", () => {
  test.each([
    [".", "."],
    ["WwW.Example.NET.", "WwW.Example.NET."],
    ["faß.de.", "xn--fa-hia.de."],
    ["日本。例え.", "xn--wgv71a.xn--r8jz45g."],
    ["*.0/25", "*.0/25.example.com."],
  ])("%s is read as %s", (text, expected) => {
    expect(nameText(parseName(text, zoneNameWire("example.com")))).toBe(expected);
  });

  test.each([
    ...["", "a b", 'a"b', "a;b", "a(b", "\\", "a\\", "b\\ü", "a\u3000b", "\ud800"],
    `${"a".repeat(64)}.`,
    "a.".repeat(128),
  ])("%j is refused", (text) => {
    expect(outcome(() => parseName(text, zoneNameWire("example.com")))).toBe("name");
  });

  test("a relative name without an origin is refused", () => {
    expect(outcome(() => parseName("www"))).toBe("name");
  });

  test("a name of 255 octets is taken, one of 256 is not", () => {
    const labels = `${"a".repeat(63)}.`.repeat(3);
    expect(parseName(`${labels}${"b".repeat(61)}.`)).toHaveLength(255);
    expect(outcome(() => parseName(`${labels}${"b".repeat(62)}.`))).toBe("name");
  });

  test("lengths stay when letters are lowered", () => {
    expect(lowerName(parseName("AZ.\\065.Ü."))).toEqual(parseName("az.a.xn--tda."));
  });

  test("a name stands within a zone by labels, not by octets", () => {
    const zone = parseName("Example.com.");
    expect(isWithin(parseName("a.eXample.com."), zone)).toBe(true);
    expect(isWithin(zone, zone)).toBe(true);
    expect(isWithin(parseName("xexample.com."), zone)).toBe(false);
    expect(isWithin(parseName("x\\007example.com."), zone)).toBe(false);
  });
});

describe("zone names", () => {
  test.each([
    ["EXAMPLE.com.", "example.com"],
    ["BÜCHER.example", "xn--bcher-kva.example"],
    ["0/26.2.0.192.in-addr.arpa", "0/26.2.0.192.in-addr.arpa"],
    ["exa\\.mple.com", "exa\\046mple.com"],
    ["com", "com"],
  ])("%s is %s", (text, expected) => {
    expect(parseZoneName(text)).toBe(expected);
  });

  test.each(["", ".", "@", "example.com\n", " example.com", "$a.com", "a;b.com"])("%j is none", (text) => {
    expect(outcome(() => parseZoneName(text))).toBe("name");
  });

  test("are shown in Unicode only where that leads back", () => {
    expect(unicodeName("xn--bcher-kva.example")).toBe("bücher.example");
    expect(unicodeName("xn--a.xn--bcher-kva.xn--\\046")).toBe("xn--a.bücher.xn--\\046");
    expect(unicodeName("xn--BCHER-KVA.example")).toBe("xn--BCHER-KVA.example");
  });
});

describe("owners", () => {
  test("are not taken for a directive, nor for the zone by a part of its name", () => {
    expect(outcome(() => parseOwner("$TTL", "example.com"))).toBe("name");
    expect(parseOwner("example", "example.com")).toBe("example");
  });

  test("go to wire and back", () => {
    for (const owner of ["@", "www", "\\064", "a\\046b.*"])
      expect(ownerText(ownerName(owner, "example.com"), zoneNameWire("example.com"))).toBe(owner);
  });
});

describe("serials", () => {
  test.each([
    [1, 2, -1],
    [2, 1, 1],
    [7, 7, 0],
    [4294967295, 0, -1],
    [0, 2147483648, undefined],
    [0, 2147483649, 1],
  ])("%d against %d is %s (RFC 1982 §3.2)", (a, b, expected) => {
    expect(compareSerial(serial(a), serial(b))).toBe(expected);
    expect(serialIsGreater(serial(a), serial(b))).toBe(expected === 1);
  });

  test.each([
    [2026010101, "20260102", 2026010201],
    [2026010201, "20260102", 2026010202],
    [2026010299, "20260102", 2026010300],
    [2027000000, "20260102", 2027000001],
    [4294967295, "20260102", 2026010201],
    [4294967295, "21991231", 1],
    [4173596158, "20261125", 4173596159],
    [1, "20260102", 2026010201],
  ])("after %d on %s comes %d", (current, date, expected) => {
    expect(nextSerial(serial(current), date)).toBe(expected);
  });

  test.each([
    [5, 5, 5, true],
    [5, 1, 5, true],
    [1, 1, 5, true],
    [6, 1, 5, false],
    [0, 1, 5, false],
    [4294967295, 4294967290, 5, true],
    [3000000000, 1, 4000000000, true],
    [0, 1, 4000000000, false],
  ])("%d on the way from %d to %d: %p", (value, from, to, expected) => {
    expect(isOnWay(serial(value), serial(from), serial(to))).toBe(expected);
  });

  test("advance around the circle and never by half of it", () => {
    expect(addSerial(serial(4294967295), 2)).toBe(1);
    expect(() => addSerial(serial(1), 2147483648)).toThrow(RangeError);
    expect(outcome(() => serial(-1))).toBe("rdata");
  });
});
