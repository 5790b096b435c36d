/*
 * The numbers of the record types and their mnemonics (IANA registry), for bitmaps, RRSIG and the table of types.
 */

/** Types whose mnemonic every server of the last years reads; the others are printed as `TYPEnnn` in bitmaps. */
const WIDELY_KNOWN: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MINFO: 14,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  RT: 21,
  KEY: 25,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  DNAME: 39,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  NID: 104,
  L32: 105,
  L64: 106,
  LP: 107,
  EUI48: 108,
  EUI64: 109,
  URI: 256,
  CAA: 257,
};

const LESS_KNOWN: Readonly<Record<string, number>> = {
  MD: 3,
  MF: 4,
  MB: 7,
  MG: 8,
  MR: 9,
  NULL: 10,
  WKS: 11,
  X25: 19,
  ISDN: 20,
  NSAP: 22,
  "NSAP-PTR": 23,
  SIG: 24,
  PX: 26,
  GPOS: 27,
  NXT: 30,
  EID: 31,
  NIMLOC: 32,
  ATMA: 34,
  A6: 38,
  SINK: 40,
  HIP: 55,
  NINFO: 56,
  RKEY: 57,
  TALINK: 58,
  DSYNC: 66,
  DOA: 259,
  AMTRELAY: 260,
  RESINFO: 261,
  WALLET: 262,
  AVC: 258,
  TA: 32768,
  DLV: 32769,
};

const codes = new Map(Object.entries({ ...WIDELY_KNOWN, ...LESS_KNOWN }));
const mnemonics = new Map(
  Object.entries({ ...WIDELY_KNOWN, ...LESS_KNOWN }).map(([mnemonic, code]) => [code, mnemonic]),
);
const printed = new Map(Object.entries(WIDELY_KNOWN).map(([mnemonic, code]) => [code, mnemonic]));

/** The code of a mnemonic in any letter case or of `TYPE0` to `TYPE65535`; undefined for anything else. */
export function typeCode(text: string): number | undefined {
  const upper = text.toUpperCase();
  const known = codes.get(upper);
  if (known !== undefined) return known;
  const [, digits] = /^TYPE([0-9]{1,5})$/.exec(upper) ?? [];
  return digits !== undefined && Number(digits) <= 65535 ? Number(digits) : undefined;
}

/** The registered mnemonic of a code, or `TYPEnnn`. */
export function typeMnemonic(code: number): string {
  return mnemonics.get(code) ?? `TYPE${code}`;
}

/** A code as every server reads it inside record data. */
export function typeText(code: number): string {
  return printed.get(code) ?? `TYPE${code}`;
}
