/** The numbers in the header of a message (RFC 1035 §4.1.1, RFC 2136 §2.2, RFC 6895 §2), and the classes of its records. */

export const Opcode = { QUERY: 0, IQUERY: 1, STATUS: 2, NOTIFY: 4, UPDATE: 5 } as const;

/** Those above 15 need an OPT record (RFC 6891 §6.1.3). */
export const Rcode = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  BADVERS: 16,
} as const;

const rcodeNames = new Map<number, string>(Object.entries(Rcode).map(([name, code]) => [code, name]));

/** Undefined for a number that is not in the table. */
export const rcodeName = (rcode: number) => rcodeNames.get(rcode);

/** Without opcode and rcode. */
export const Flag = { QR: 0x8000, AA: 0x0400, TC: 0x0200, RD: 0x0100, RA: 0x0080, AD: 0x0020, CD: 0x0010 } as const;

/** Classes; NONE and ANY occur only in updates (RFC 2136 §2.4). */
export const Class = { IN: 1, CH: 3, NONE: 254, ANY: 255 } as const;

export const MetaType = {
  OPT: 41,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  ANY: 255,
} as const;

export const headerLength = 12;

/** The maximum octets of a message: its length over TCP has 16 bits. */
export const maxMessageLength = 65535;

/** The four sections, as RFC 1035 and RFC 2136 name them. */
export const Section = { QUESTION: 0, ANSWER: 1, AUTHORITY: 2, ADDITIONAL: 3 } as const;
export type Section = (typeof Section)[keyof typeof Section];

/** The first two words; the others are counts of records. */
export interface Header {
  readonly id: number;
  readonly flags: number;
}

/** Undefined when the message is too short. */
export function readHeader(octets: Uint8Array): Header | undefined {
  if (octets.length < headerLength) return undefined;
  const view = new DataView(octets.buffer, octets.byteOffset);
  return { id: view.getUint16(0), flags: view.getUint16(2) };
}

export function opcodeOf(flags: number): number {
  return (flags >> 11) & 15;
}
