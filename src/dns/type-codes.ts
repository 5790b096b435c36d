/** The record types (IANA registry). Types of queries and messages are in message/header.ts. */

export const TypeCode = {
  A: 1,
  NS: 2,
  MD: 3,
  MF: 4,
  CNAME: 5,
  SOA: 6,
  MB: 7,
  MG: 8,
  MR: 9,
  NULL: 10,
  WKS: 11,
  PTR: 12,
  HINFO: 13,
  MINFO: 14,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  X25: 19,
  ISDN: 20,
  RT: 21,
  NSAP: 22,
  "NSAP-PTR": 23,
  SIG: 24,
  KEY: 25,
  PX: 26,
  GPOS: 27,
  AAAA: 28,
  LOC: 29,
  NXT: 30,
  EID: 31,
  NIMLOC: 32,
  SRV: 33,
  ATMA: 34,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  A6: 38,
  DNAME: 39,
  SINK: 40,
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
  HIP: 55,
  NINFO: 56,
  RKEY: 57,
  TALINK: 58,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  DSYNC: 66,
  SPF: 99,
  NID: 104,
  L32: 105,
  L64: 106,
  LP: 107,
  EUI48: 108,
  EUI64: 109,
  URI: 256,
  CAA: 257,
  AVC: 258,
  DOA: 259,
  AMTRELAY: 260,
  RESINFO: 261,
  WALLET: 262,
  TA: 32768,
  DLV: 32769,
} as const;

export type Mnemonic = keyof typeof TypeCode;

/** Some servers of recent years do not read these mnemonics: inside record data they are printed as `TYPEnnn`. */
const lessKnown: ReadonlySet<string> = new Set(
  [
    "MD MF MB MG MR NULL WKS X25 ISDN NSAP NSAP-PTR SIG PX GPOS NXT EID NIMLOC ATMA A6 SINK HIP NINFO RKEY TALINK DSYNC",
    "AVC DOA AMTRELAY RESINFO WALLET TA DLV",
  ].flatMap((mnemonics) => mnemonics.split(" ")),
);

const codeByMnemonic: ReadonlyMap<string, number> = new Map(Object.entries(TypeCode));
const mnemonicByCode: ReadonlyMap<number, string> = new Map(
  Object.entries(TypeCode).map(([mnemonic, code]) => [code, mnemonic]),
);

/** In any letter case, or `TYPE0` to `TYPE65535`; undefined for other text. */
export function typeCode(text: string): number | undefined {
  const upper = text.toUpperCase();
  const registered = codeByMnemonic.get(upper);
  if (registered !== undefined) return registered;
  const [, digits] = /^TYPE([0-9]{1,5})$/.exec(upper) ?? [];
  return digits !== undefined && Number(digits) <= 65535 ? Number(digits) : undefined;
}

export function typeMnemonic(code: number): string {
  return mnemonicByCode.get(code) ?? `TYPE${code}`;
}

/** What every server reads inside record data. */
export function typeText(code: number): string {
  const mnemonic = typeMnemonic(code);
  return lessKnown.has(mnemonic) ? `TYPE${code}` : mnemonic;
}
