/**
 * A PNG of a screen with a palette of at most 256 colours instead of the 24 bits of each pixel: a fraction of the size, and the same to look at.
 * It reads what Chromium writes: 8 bits a channel, not interlaced (PNG, W3C Recommendation 2003, §9 and §11).
 */
import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from("89504e470d0a1a0a", "hex");

/** The data of the chunks of one type, joined. */
function chunks(png: Buffer, type: string): Buffer {
  const found: Buffer[] = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === type) found.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return Buffer.concat(found);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** What a byte is predicted to be, by the filter of its row: from the one to the left, above, and above that to the left. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
}

/** The colours of all pixels, as 24-bit numbers. */
function pixelsOf(png: Buffer, width: number, height: number, channels: number): Uint32Array {
  const rows = inflateSync(chunks(png, "IDAT"));
  const size = width * channels;
  const pixels = new Uint32Array(width * height);
  let before = new Uint8Array(size);
  for (let y = 0; y < height; y += 1) {
    const start = y * (size + 1);
    const filter = rows[start] as number;
    const row = new Uint8Array(size);
    for (let x = 0; x < size; x += 1) {
      const [left, corner] = x < channels ? [0, 0] : [row[x - channels] as number, before[x - channels] as number];
      row[x] = (rows[start + 1 + x] as number) + predicted(filter, left, before[x] as number, corner);
    }
    for (let x = 0; x < width; x += 1) pixels[y * width + x] = Buffer.from(row.buffer).readUIntBE(x * channels, 3);
    before = row;
  }
  return pixels;
}

const distance = (one: number, other: number) =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);

/** Colours that are nearer to each other than this look the same; without it, a few words in a colour of their own would lose it. */
const sameDistance = 150;

/** The most frequent of the colours of a picture, none of which looks like another. */
function paletteOf(byCount: readonly number[], colours: number): number[] {
  const palette: number[] = [];
  for (const pixel of byCount) {
    if (palette.length === colours) break;
    if (palette.every((other) => distance(pixel, other) > sameDistance)) palette.push(pixel);
  }
  return palette;
}

/** The same picture with its most frequent colours alone, at most as many. */
export function smallPng(png: Buffer, colours = 256): Buffer {
  const header = chunks(png, "IHDR");
  const [width, height, channels] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3];
  const pixels = pixelsOf(png, width, height, channels);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([pixel]) => pixel);
  const palette = paletteOf(byCount, colours);
  const places = new Map(palette.map((pixel, at) => [pixel, at]));
  for (const pixel of byCount) {
    if (places.has(pixel)) continue;
    const nearest = palette.reduce((best, each) => (distance(pixel, each) < distance(pixel, best) ? each : best));
    places.set(pixel, places.get(nearest) as number);
  }
  const rows = Buffer.alloc(height * (width + 1));
  pixels.forEach((pixel, at) => {
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = places.get(pixel) as number;
  });
  const ihdr = Buffer.concat([header.subarray(0, 8), Buffer.from([8, 3, 0, 0, 0])]);
  const plte = Buffer.concat(palette.map((pixel) => Buffer.from([pixel >> 16, (pixel >> 8) & 255, pixel & 255])));
  return Buffer.concat([
    signature,
    chunk("IHDR", ihdr),
    chunk("PLTE", plte),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
