/** The wire layout of SOA data (RFC 1035 §3.3.13): two names, then serial, refresh, retry, expire and minimum in four octets each. */
import { type Serial, serial } from "../serial.ts";

/** Octets from there to the end. */
const serialToEnd = 20;
const minimumToEnd = 4;
/** Two root names and five numbers. */
const shortestSoa = 22;

/** Of checked data. */
export function soaSerial(wire: Uint8Array): Serial {
  return serial(numberAt(wire, wire.length - serialToEnd));
}

/** Undefined when the data is too short. */
export function uncheckedSoaSerial(wire: Uint8Array): Serial | undefined {
  return wire.length < shortestSoa ? undefined : soaSerial(wire);
}

export function withSoaSerial(wire: Uint8Array, next: Serial): Uint8Array {
  const copy = Uint8Array.from(wire);
  new DataView(copy.buffer).setUint32(copy.length - serialToEnd, next);
  return copy;
}

/** Of checked data, seconds: how long a negative answer is cached (RFC 2308 §4). */
export function soaMinimum(wire: Uint8Array): number {
  return numberAt(wire, wire.length - minimumToEnd);
}

function numberAt(wire: Uint8Array, at: number): number {
  return new DataView(wire.buffer, wire.byteOffset, wire.length).getUint32(at);
}
