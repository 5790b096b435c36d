/** The archive of a backup: a tar file (POSIX ustar). It is written before its length is known, and any tar program reads it. */

export interface Entry {
  readonly name: string;
  readonly content: Buffer;
}

const blockLength = 512;

/** The largest file that is read, bytes. A backup has no longer file. */
const maxContent = 2 ** 30;

const fields = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const;

/** Returns a file in the form of the archive; `time` is its time of modification, whole seconds since 1970. */
export function entryBytes({ name, content }: Entry, time: number): Buffer {
  const header = Buffer.alloc(blockLength);
  const write = (field: keyof typeof fields, text: string) => header.write(text, fields[field][0], "latin1");
  const octal = (field: keyof typeof fields, value: number) =>
    write(field, value.toString(8).padStart(fields[field][1] - 1, "0"));
  write("name", name);
  octal("mode", 0o600);
  octal("uid", 0);
  octal("gid", 0);
  octal("size", content.length);
  octal("mtime", time);
  write("type", "0");
  write("magic", "ustar\x0000");
  write("checksum", `${checksumOf(header).toString(8).padStart(6, "0")}\0 `);
  return Buffer.concat([header, content, Buffer.alloc(paddingOf(content.length))]);
}

export const endOfArchive = Buffer.alloc(2 * blockLength);

/** Yields the files of an archive; throws when it is not an archive or is cut off. */
export async function* entriesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const reader = new Reader(bytes);
  try {
    for (;;) {
      const header = await reader.take(blockLength);
      if (isEmpty(header)) return await reader.finish();
      const { name, size } = readHeader(header);
      const content = await reader.take(size);
      await reader.take(paddingOf(size));
      yield { name, content };
    }
  } finally {
    await reader.close();
  }
}

const isEmpty = (block: Buffer) => block.every((octet) => octet === 0);

function readHeader(header: Buffer): { readonly name: string; readonly size: number } {
  const text = (field: keyof typeof fields) =>
    header.toString("latin1", fields[field][0], fields[field][0] + fields[field][1]).replace(/\0.*$/s, "");
  const size = Number.parseInt(text("size"), 8);
  if (Number.parseInt(text("checksum"), 8) !== checksumOf(header) || !(size <= maxContent))
    throw new Error("a header of the archive is not valid");
  return { name: text("name"), size };
}

const paddingOf = (length: number) => (blockLength - (length % blockLength)) % blockLength;

/** The sum of the octets of a header, with blanks in place of the checksum. */
function checksumOf(header: Buffer): number {
  const [start, length] = fields.checksum;
  return header.reduce((sum, octet, at) => sum + (at >= start && at < start + length ? 0x20 : octet), 0);
}

class Reader {
  readonly #chunks: AsyncIterator<Buffer>;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    while (this.#length < length) {
      const { value, done } = await this.#chunks.next();
      if (done) throw new Error("the archive is cut off");
      this.#parts.push(value);
      this.#length += value.length;
    }
    const all = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [all.subarray(length)];
    this.#length = all.length - length;
    return all.subarray(0, length);
  }

  /** Reads the rest of the stream, which may fail at its end only; throws when anything but padding follows the archive. */
  async finish(): Promise<void> {
    for (let rest = this.#parts[0] ?? Buffer.alloc(0); ; ) {
      if (!isEmpty(rest)) throw new Error("there is data after the end of the archive");
      const { value, done } = await this.#chunks.next();
      if (done) return;
      rest = value;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
