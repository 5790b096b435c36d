/** A location (RFC 1876): `60 9 0.000 N 24 39 0.000 E 10.00m 20.00m 2000.00m 20.00m`. Sizes have one significant digit (§2). */

import type { TextReader } from "../text-reader.ts";
import type { WireReader } from "../wire.ts";
import type { Field } from "./field.ts";
import { decimal } from "./number.ts";

/** Angles in thousandths of a second from the equator and Greenwich, the altitude in centimetres. */
interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude: number;
  /** Diameter, horizontal and vertical precision: a digit and a power of ten, in centimetres. */
  readonly sizes: readonly number[];
}

const placeRange =
  "degrees [minutes [seconds]] N|S degrees [minutes [seconds]] E|W altitude[m] [size[m] [horizontal[m] [vertical[m]]]]";
const wireMiddle = 2 ** 31;
/** The altitude on the wire is relative to 100 km below the ellipsoid. */
const altitudeOffset = 10_000_000;
const maxAltitude = 2 ** 32 - 1 - altitudeOffset;
const maxSize = 9_000_000_000;
/** The default sizes: 1 m, 10 km, 10 m (RFC 1876 §3). */
const defaultSizes = [0x12, 0x16, 0x13];

/** An angle and its direction in thousandths of a second; negative for the second direction. */
function parseAngle(reader: TextReader, directions: string, most: number): number {
  const degrees = integer(reader, most);
  let minutes = 0;
  let thousandths = 0;
  let word = reader.word(directions);
  if (/^[0-9]/.test(word)) {
    minutes = decimal(word, 59) ?? reader.refuse(word, "minutes from 0 to 59");
    word = reader.word(directions);
    if (/^[0-9]/.test(word)) {
      thousandths = scaled(word, /^([0-9]+)(?:\.([0-9]{0,3}))?$/, 3) ?? reader.refuse(word, "seconds from 0 to 59.999");
      if (thousandths > 59_999) reader.refuse(word, "seconds from 0 to 59.999");
      word = reader.word(directions);
    }
  }
  const angle = (degrees * 60 + minutes) * 60_000 + thousandths;
  if (angle > most * 3_600_000) reader.refuse(`${degrees} ${minutes}`, `an angle of at most ${most} degrees`);
  const direction = word.length === 1 ? directions.indexOf(word.toUpperCase()) : -1;
  if (direction < 0) reader.refuse(word, `${directions[0]} or ${directions[2]}`);
  return direction === 0 ? angle : -angle;
}

function integer(reader: TextReader, most: number): number {
  const word = reader.word("degrees");
  return decimal(word, most) ?? reader.refuse(word, `degrees from 0 to ${most}`);
}

/** Reads a decimal fraction as an integer in units of its last digit. */
function scaled(text: string, form: RegExp, digits: number): number | undefined {
  const [, whole, fraction = ""] = form.exec(text) ?? [];
  return whole === undefined ? undefined : Number(whole) * 10 ** digits + Number(fraction.padEnd(digits, "0"));
}

const metresForm = /^([0-9]+)(?:\.([0-9]{0,2}))?m?$/i;

function parseAltitude(reader: TextReader): number {
  const range = "an altitude from -100000.00m to 42849672.95m";
  const word = reader.word(range);
  const below = word.startsWith("-");
  const centimetres = scaled(below ? word.slice(1) : word, metresForm, 2);
  const limit = below ? altitudeOffset : maxAltitude;
  if (centimetres === undefined || centimetres > limit) reader.refuse(word, range);
  return below ? -centimetres : centimetres;
}

function parseSize(reader: TextReader): number {
  const range = "a size from 0m to 90000000.00m";
  const word = reader.word(range);
  let digit = scaled(word, metresForm, 2);
  if (digit === undefined || digit > maxSize) reader.refuse(word, range);
  let power = 0;
  for (; digit >= 10; power += 1) digit = Math.floor(digit / 10);
  return digit * 16 + power;
}

function parsePlace(reader: TextReader): Place {
  const latitude = parseAngle(reader, "N|S", 90);
  const longitude = parseAngle(reader, "E|W", 180);
  const altitude = parseAltitude(reader);
  const sizes = defaultSizes.map((size) => (reader.peek() ? parseSize(reader) : size));
  return { latitude, longitude, altitude, sizes };
}

function angleText(angle: number, directions: string): string {
  const size = Math.abs(angle);
  const seconds = (size % 60_000) / 1000;
  const direction = directions[angle < 0 ? 2 : 0];
  return `${Math.floor(size / 3_600_000)} ${Math.floor(size / 60_000) % 60} ${seconds.toFixed(3)} ${direction}`;
}

function metres(centimetres: number): string {
  return `${(centimetres / 100).toFixed(2)}m`;
}

function readPlace(wire: WireReader): Place {
  if (wire.number(1) !== 0) wire.refuse("its version is not 0");
  const sizes = [wire.number(1), wire.number(1), wire.number(1)];
  for (const size of sizes)
    if (size >> 4 > 9 || (size & 15) > 9 || (size < 16 && size > 0))
      wire.refuse("a size is not a digit and a power of ten");
  const latitude = wire.number(4) - wireMiddle;
  const longitude = wire.number(4) - wireMiddle;
  if (Math.abs(latitude) > 90 * 3_600_000) wire.refuse("its latitude is beyond 90 degrees");
  if (Math.abs(longitude) > 180 * 3_600_000) wire.refuse("its longitude is beyond 180 degrees");
  return { latitude, longitude, altitude: wire.number(4) - altitudeOffset, sizes };
}

function placeText({ latitude, longitude, altitude, sizes }: Place): string {
  const spans = sizes.map((size) => metres((size >> 4) * 10 ** (size & 15)));
  return [angleText(latitude, "N|S"), angleText(longitude, "E|W"), metres(altitude), ...spans].join(" ");
}

export function place(name: string, description: string): Field<Place> {
  return {
    name,
    kind: "loc",
    range: placeRange,
    description,
    holds: "text",
    parse: parsePlace,
    print: placeText,
    write({ latitude, longitude, altitude, sizes }, wire) {
      wire.number(0, 1);
      for (const size of sizes) wire.number(size, 1);
      wire.number(latitude + wireMiddle, 4);
      wire.number(longitude + wireMiddle, 4);
      wire.number(altitude + altitudeOffset, 4);
    },
    read: readPlace,
  };
}
