/** The progress of a command on standard error, without colours: only on a terminal, and only after a second. */

/** A stream such as process.stderr. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The time before the first picture, ms. */
const delayMs = 1000;

/** The least time between two pictures, ms. */
const intervalMs = 100;

const width = 40;

export class Progress {
  readonly #stream: ProgressStream;
  /** A monotonic clock, ms. */
  readonly #now: () => number;
  #nextAt: number;
  #isShown = false;

  constructor(stream: ProgressStream = process.stderr, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
    this.#nextAt = now() + delayMs;
  }

  /** Shows a step, and the share of it that is done, 0 to 1, where that is known. */
  readonly show = (step: string, share?: number): void => {
    if (!this.#stream.isTTY || this.#now() < this.#nextAt) return;
    this.#nextAt = this.#now() + intervalMs;
    this.#isShown = true;
    this.#stream.write(`\r\x1b[K${share === undefined ? step : `${barOf(Math.min(1, share))} ${step}`}`);
  };

  end(): void {
    if (this.#isShown) this.#stream.write("\r\x1b[K");
    this.#isShown = false;
  }
}

function barOf(share: number): string {
  const filled = Math.round(share * width);
  return `[${"#".repeat(filled)}${".".repeat(width - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
}

/** A number of bytes as it is shown, such as 12.3 MB. */
export const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
