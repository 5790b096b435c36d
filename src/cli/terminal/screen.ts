/** A screen of text: lines with a style each, printed once, or drawn again and again on a terminal without flicker. */

export interface Line {
  readonly text: string;
  readonly style?: Style;
}

/** The styles of lines, as codes of ECMA-48 (SGR). */
const styles = { heading: "1", good: "32", warning: "33", bad: "31", faint: "2" } as const;

export type Style = keyof typeof styles;

/** The size of a screen, in characters. */
export interface Extent {
  readonly rows: number;
  readonly columns: number;
}

export function rendered({ text, style }: Line, isColoured: boolean): string {
  return isColoured && style !== undefined ? `\x1b[${styles[style]}m${text}\x1b[0m` : text;
}

/** The lines that fit; the last one says how many are left out. */
export function fitted(lines: readonly Line[], { rows, columns }: Extent): Line[] {
  const cut = lines.map(({ text, ...rest }) => ({
    ...rest,
    text: text.length > columns ? `${text.slice(0, columns - 1)}…` : text,
  }));
  if (cut.length <= rows) return cut;
  const left = cut.length - rows + 1;
  return [...cut.slice(0, rows - 1), { text: `… ${left} more lines; a taller terminal shows them`, style: "faint" }];
}

export interface Drawable {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
  on(event: "resize", listener: () => void): unknown;
}

const [enter, leave] = ["\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"];

/**
 * Draws the lines that `read` returns, every `seconds`, on the alternate screen of the terminal until the process is interrupted. Each
 * picture is one write over the last one, so that nothing flickers. Never returns.
 */
export async function drawAgain(
  terminal: Drawable,
  seconds: number,
  isColoured: boolean,
  read: () => Promise<readonly Line[]>,
): Promise<never> {
  let lines: readonly Line[] = [];
  const draw = () => {
    const shown = fitted(lines, terminal).map((line) => `${rendered(line, isColoured)}\x1b[K`);
    terminal.write(`\x1b[H${shown.join("\r\n")}\x1b[J`);
  };
  process.on("exit", () => terminal.write(leave));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(0));
  terminal.write(enter);
  terminal.on("resize", draw);
  for (;;) {
    lines = await read();
    draw();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
