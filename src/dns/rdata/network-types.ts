/** Record types of other networks, of locations and of hardware. */
import { prefixes } from "../fields/apl.ts";
import { charString, charStrings } from "../fields/character-string.ts";
import { discovery, gateway, relayType } from "../fields/gateway.ts";
import { hex } from "../fields/hex-base64.ts";
import { eui, nsap, psdn } from "../fields/identifiers.ts";
import { place } from "../fields/loc.ts";
import { u8 } from "../fields/number.ts";
import { type RecordType, row } from "./record-type.ts";

export const networkTypes: readonly RecordType[] = [
  row(["X25", "RFC 1183 §3.1"], "X.25 address", "311061700956", [psdn("address", "the PSDN address")]),
  row(
    ["ISDN", "RFC 1183 §3.2"],
    "ISDN number",
    '"150862028003217" "004"',
    [charStrings("numbers", "the number and, after it, a subaddress")],
    {
      check: (values) =>
        (values.numbers as readonly unknown[]).length > 2 ? "numbers has more than two texts." : undefined,
    },
  ),
  row(["NSAP", "RFC 1706 §5"], "NSAP address", "0x47000580005A0000000001E133FFFFFF00016100", [
    nsap("address", "the address"),
  ]),
  row(["GPOS", "RFC 1712 §1"], "location (obsolete: use LOC)", '"-32.6882" "116.8652" "10.0"', [
    charString("longitude", "in degrees"),
    charString("latitude", "in degrees"),
    charString("altitude", "in metres"),
  ]),
  row(["LOC", "RFC 1876 §2"], "location", "52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m", [
    place("place", "latitude, longitude, altitude, size and precision"),
  ]),
  row(["EID", "IANA registry"], "Nimrod endpoint (obsolete)", "0A000001", [hex("data", "the identifier")]),
  row(["NIMLOC", "IANA registry"], "Nimrod locator (obsolete)", "0A000001", [hex("data", "the locator")]),
  row(["APL", "RFC 3123 §4"], "list of address prefixes", "1:192.0.2.0/24 !1:192.0.2.64/28", [
    prefixes("prefixes", "the prefixes; ! negates a prefix"),
  ]),
  row(["EUI48", "RFC 7043 §3.1"], "EUI-48 hardware address", "00-00-5e-00-53-2a", [eui(6, "address", "the address")]),
  row(["EUI64", "RFC 7043 §4.1"], "EUI-64 hardware address", "00-00-5e-ef-10-00-00-2a", [
    eui(8, "address", "the address"),
  ]),
  row(["AMTRELAY", "RFC 8777 §4.2"], "multicast relay", "10 0 1 192.0.2.1", [
    u8("precedence", "the lowest is tried first"),
    discovery("discoveryOptional", "1 when the discovery of the relay is optional"),
    relayType("relayType", "discoveryOptional", "0 none, 1 IPv4, 2 IPv6, 3 a name"),
    gateway("relay", "relayType", "the relay"),
  ]),
];
