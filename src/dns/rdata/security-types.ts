/** Record types of keys, digests, certificates and DNSSEC. */

import { name, names } from "../fields/domain-name.ts";
import type { Field, Row } from "../fields/field.ts";
import { gateway } from "../fields/gateway.ts";
import { base64, hex } from "../fields/hex-base64.ts";
import { hashedName, lengthOf, salt, sizedBase64, sizedHex } from "../fields/length-prefixed.ts";
import { algorithm, certificateType, notifyScheme } from "../fields/mnemonics.ts";
import { signatureTime, u8, u16, u32, zoneSerial } from "../fields/number.ts";
import { typeBitmap, typeNumber } from "../fields/type-bitmap.ts";
import { WireReader } from "../wire.ts";
import { type RecordType, row, type TypeSource } from "./record-type.ts";

/** The length of its type, or at least `shortest` octets for an unknown type. */
function digestLength(typeField: string, lengths: Readonly<Record<number, number>>, shortest = 1) {
  return (values: Row): string | undefined => {
    const length = (values.digest as Uint8Array).length;
    const type = Number(values[typeField]);
    const expected = lengths[type];
    if (expected !== undefined && length !== expected)
      return `digest is ${length} octets long; write the ${expected} octets of ${typeField} ${type}.`;
    return length < shortest ? `digest is ${length} octets long; write at least ${shortest}.` : undefined;
  };
}

const digest = hex("digest", "the digest");

const delegationSigner: readonly Field[] = [
  u16("keyTag", "the tag of the key"),
  algorithm,
  u8("digestType", "1 is SHA-1, 2 SHA-256, 4 SHA-384", { 1: "SHA-1", 2: "SHA-256", 4: "SHA-384" }),
  digest,
];
const delegationExample = "60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A";
const delegation = (type: TypeSource, description: string) =>
  row(type, description, delegationExample, delegationSigner, {
    check: digestLength("digestType", { 1: 20, 2: 32, 4: 48 }),
  });

const publicKey: readonly Field[] = [
  u16("flags", "256 is a zone key, 257 a key signing key", { 256: "zone key", 257: "key signing key" }),
  u8("protocol", "always 3"),
  algorithm,
  base64("publicKey", "the key"),
];
const keyExample = "257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=";

const association: readonly Field[] = [
  u8("usage", "0 to 3: how the certificate is checked", {
    0: "PKIX-TA",
    1: "PKIX-EE",
    2: "DANE-TA",
    3: "DANE-EE",
  }),
  u8("selector", "0 is the whole certificate, 1 its public key", { 0: "Cert", 1: "SPKI" }),
  u8("matchingType", "0 is the data itself, 1 SHA-256, 2 SHA-512", {
    0: "Full",
    1: "SHA-256",
    2: "SHA-512",
  }),
  hex("data", "the certificate association data, hexadecimal"),
];
const associationExample = "3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A";

const hashing: readonly Field[] = [
  u8("hashAlgorithm", "1 is SHA-1", { 1: "SHA-1" }),
  u8("flags", "1 is opt-out"),
  u16("iterations", "the number of additional rounds of the hash"),
  salt("salt", "the salt of the hash"),
];

/** RFC 5155 §3: SHA-1, the only algorithm, has digests of 20 octets. */
function hashLength(values: Row): string | undefined {
  const wrong = values.hashAlgorithm === 1 && (values.nextHashed as Uint8Array).length !== 20;
  return wrong ? "nextHashed is not 20 octets long, the length of a SHA-1 hash." : undefined;
}

/** RFC 4034 §3.1.3: the owner ends in the name of the signer, and has at least as many labels. */
function signerLabels(values: Row): string | undefined {
  const signer = values.signer as Uint8Array;
  let count = 0;
  for (let at = 0; signer[at]; at += (signer[at] ?? 0) + 1) count += 1;
  return count > Number(values.labels) ? "signer has more labels than the owner." : undefined;
}

/** A key of algorithm 253 begins with the name of its algorithm (RFC 4034 §A.1.1); BIND drops a zone with any other key. */
function privateKeyName(values: Row): undefined {
  if (values.algorithm !== 253) return;
  const reader = new WireReader(values.publicKey as Uint8Array);
  reader.field = "publicKey";
  reader.name();
}

/**
 * When both upper bits of the flags are set, they mean "no key" (RFC 2535 §3.1.2). Servers disagree about such a KEY record: Knot and NSD
 * refuse it without key data, BIND refuses it with key data. So it is always refused here.
 */
function keyGiven(values: Row): string | undefined {
  const none = Number(values.flags) >= 0xc000;
  return none ? "flags say that there is no key; servers disagree about such a record." : privateKeyName(values);
}

function noFlags(values: Row): string | undefined {
  return values.flags === 0 ? privateKeyName(values) : "flags is not 0, the only valid value.";
}

export const securityTypes: readonly RecordType[] = [
  row(
    ["KEY", "RFC 2535 §3"],
    "public key of SIG(0)",
    "512 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=",
    [u16("flags", "the purpose of the key"), u8("protocol", "3 is DNSSEC"), algorithm, base64("publicKey", "the key")],
    { check: keyGiven },
  ),
  row(["CERT", "RFC 4398 §2"], "certificate", "PKIX 0 0 AQIDBAUGBwgJCgsMDQ4PEA==", [
    certificateType("certificateType", "the type of the certificate"),
    u16("keyTag", "the tag of the key"),
    algorithm,
    base64("certificate", "the certificate or its address"),
  ]),
  delegation(["DS", "RFC 4034 §5"], "digest of a key of the delegated zone"),
  row(
    ["SSHFP", "RFC 4255 §3.1"],
    "fingerprint of an SSH host key",
    "4 2 123456789ABCDEF67890123456789ABCDEF67890123456789ABCDEF123456789",
    [
      u8("algorithm", "1 is RSA, 2 DSA, 3 ECDSA, 4 Ed25519, 6 Ed448", {
        1: "RSA",
        2: "DSA",
        3: "ECDSA",
        4: "Ed25519",
        6: "Ed448",
      }),
      u8("fingerprintType", "1 is SHA-1, 2 SHA-256", { 1: "SHA-1", 2: "SHA-256" }),
      digest,
    ],
    { check: digestLength("fingerprintType", { 1: 20, 2: 32 }) },
  ),
  row(
    ["IPSECKEY", "RFC 4025 §2"],
    "IPsec key of a host",
    "10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==",
    [
      u8("precedence", "the lowest is tried first"),
      u8("gatewayType", "0 none, 1 IPv4, 2 IPv6, 3 a name", {
        0: "none",
        1: "IPv4",
        2: "IPv6",
        3: "name",
      }),
      u8("algorithm", "1 is DSA, 2 RSA", { 1: "DSA", 2: "RSA" }),
      gateway("gateway", "gatewayType", "the gateway"),
      base64("publicKey", "the key"),
    ],
    {
      // RFC 4025 §2.4 lets algorithm 0 mean "no key"; BIND refuses algorithm 0 without a key, Knot with a key.
      check: (values) =>
        values.algorithm === 0 ? "algorithm is 0; servers disagree about a record without a key." : undefined,
    },
  ),
  row(
    ["RRSIG", "RFC 4034 §3"],
    "signature of an RRset",
    "A 13 2 3600 20260322173103 20260220173103 2642 example.com. AQIDBAUGBwgJCgsMDQ4PEA==",
    [
      typeNumber("typeCovered", "the type of the signed RRset"),
      algorithm,
      u8("labels", "how many labels the owner has"),
      u32("originalTtl", "the TTL that was signed"),
      signatureTime("expiration", "when the signature ends"),
      signatureTime("inception", "when the signature begins"),
      u16("keyTag", "the tag of the key"),
      name("signer", "the zone that signed"),
      base64("signature", "the signature"),
    ],
    { creatable: false, check: signerLabels },
  ),
  row(
    ["NSEC", "RFC 4034 §4"],
    "next name of a signed zone",
    "host.example.com. A MX RRSIG NSEC",
    [name("nextDomain", "the next name"), typeBitmap("types", "the types at the owner")],
    {
      creatable: false,
      check: (values) =>
        (values.types as readonly number[]).length === 0 ? "types is missing; write at least NSEC." : undefined,
    },
  ),
  row(["DNSKEY", "RFC 4034 §2"], "key of a signed zone", keyExample, publicKey, { check: privateKeyName }),
  row(["DHCID", "RFC 4701 §3"], "DHCP client that leases a name", "AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=", [
    base64("data", "identifier type, digest type and digest"),
  ]),
  row(
    ["NSEC3", "RFC 5155 §3"],
    "next hashed name of a signed zone",
    "1 0 0 - 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR A RRSIG",
    [...hashing, hashedName("nextHashed", "the next hash"), typeBitmap("types", "the types at the owner")],
    { creatable: false, check: hashLength },
  ),
  row(["NSEC3PARAM", "RFC 5155 §4"], "how the names of a signed zone are hashed", "1 0 0 -", hashing),
  row(["TLSA", "RFC 6698 §2"], "certificate of a TLS service", associationExample, association),
  row(["SMIMEA", "RFC 8162 §2"], "certificate of a mail address", associationExample, association),
  row(
    ["HIP", "RFC 8005 §5"],
    "host identity",
    "2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p",
    [
      lengthOf("hit", 1),
      u8("algorithm", "1 is DSA, 2 RSA, 3 ECDSA", { 1: "DSA", 2: "RSA", 3: "ECDSA" }),
      lengthOf("publicKey", 2),
      sizedHex("hit", "the host identity tag"),
      sizedBase64("publicKey", "the key"),
      names("rendezvousServers", "the rendezvous servers of the host"),
    ],
  ),
  row(
    ["RKEY", "IANA registry"],
    "key that encrypts NAPTR records (obsolete)",
    "0 255 1 AQIDBAUGBwgJCgsMDQ4PEA==",
    publicKey,
    { check: noFlags },
  ),
  delegation(["CDS", "RFC 7344 §3.1"], "DS that a child zone requests at its parent"),
  row(["CDNSKEY", "RFC 7344 §3.2"], "key for which a child zone requests a DS at its parent", keyExample, publicKey, {
    check: privateKeyName,
  }),
  row(["OPENPGPKEY", "RFC 7929 §2"], "OpenPGP key of a mail address", "AQIDBAUGBwgJCgsMDQ4PEA==", [
    base64("publicKey", "the key"),
  ]),
  row(["CSYNC", "RFC 7477 §2"], "records that a parent should copy", "66 3 A NS AAAA", [
    zoneSerial("serial", "the minimum serial of the zone to copy from"),
    u16("flags", "1 is immediate, 2 soaminimum"),
    typeBitmap("types", "the types to copy"),
  ]),
  row(
    ["ZONEMD", "RFC 8976 §2"],
    "digest of the whole zone",
    "2018031900 1 240 E2D523F654B9422A96C5A8F44607BBEE",
    [
      zoneSerial("serial", "the serial of the digested zone"),
      u8("scheme", "1 is the simple scheme", { 1: "SIMPLE" }),
      u8("hashAlgorithm", "1 is SHA-384, 2 SHA-512", { 1: "SHA-384", 2: "SHA-512" }),
      digest,
    ],
    { check: digestLength("hashAlgorithm", { 1: 48, 2: 64 }, 12) },
  ),
  row(
    ["DSYNC", "RFC 9859 §2"],
    "target of notifications about changed CDS or CSYNC records",
    "CDS NOTIFY 53 notify.example.net.",
    [
      typeNumber("type", "the record type that changed"),
      notifyScheme("scheme", "how: 1 is NOTIFY"),
      u16("port", "the port of the target"),
      name("target", "the host to notify"),
    ],
  ),
  delegation(["TA", "IANA registry"], "trust anchor"),
  delegation(["DLV", "RFC 4431 §2"], "trust anchor outside the tree (obsolete)"),
];
