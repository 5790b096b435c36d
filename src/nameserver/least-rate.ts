/**
 * The least rate of a client whose transfer holds a turn and a snapshot of the database, which keeps PostgreSQL from vacuuming. What comes
 * from memory has none: it holds up nobody, and a line may be slow.
 */

/** What a client reads at least, on average, in the time in which it must read something, octets: with the default of 30 s 1.1 Mbit/s. */
const leastRead = 4 * 1024 * 1024;
/** The same of a secondary: 140 kbit/s, since without the zone it serves an old one. */
const leastReadOfSecondary = leastRead / 8;

/** Passes the messages of a transfer on as they are read; throws when that takes too long, of the time in which they wait for the client. */
export async function* atLeastRate(
  messages: AsyncIterable<Uint8Array>,
  slowReaderMs: number,
  isSecondary: boolean,
): AsyncGenerator<Uint8Array> {
  const least = isSecondary ? leastReadOfSecondary : leastRead;
  let [sent, unreadMs] = [0, 0];
  for await (const message of messages) {
    const since = performance.now();
    yield message;
    sent += message.length;
    unreadMs += performance.now() - since;
    if (unreadMs > slowReaderMs * (1 + sent / least)) throw new Error("the client reads too slowly");
  }
}
