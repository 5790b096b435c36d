/** Lists in columns that fit a width: cells wrap between words, and values without a column are below their row. */

/** Blanks between two columns, and before the lines below a row. */
const gap = 2;
const indent = 4;

/** The least width of a column whose values have to wrap; a longer word makes it wider. */
const comfortable = 24;

/** Lines in columns; each column but the last is as wide as its widest value. */
export function aligned(lines: readonly (readonly string[])[]): string[] {
  return lines.map((line) => joined(line, naturalWidths(lines)));
}

/** The lines of a list, at most `width` characters long unless a word is longer; `rows` have a value for each heading. */
export function tableLines(headings: readonly string[], rows: readonly (readonly string[])[], width: number): string[] {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows];
  const natural = naturalWidths(lines);
  if (totalOf(natural) <= width) return aligned(lines);
  const least = headings.map((_, at) => Math.max(...lines.map((line) => longestWord(line[at] ?? ""))));
  const wanted = least.map((word, at) => Math.max(word, Math.min(natural[at] ?? 0, comfortable)));
  let count = headings.length;
  while (count > 1 && totalOf(wanted.slice(0, count)) > width) count -= 1;
  const widths = narrowed(natural.slice(0, count), least, width);
  return lines.flatMap((line, at) => {
    const cells = widths.map((each, column) => wrapped(line[column] ?? "", each));
    const height = Math.max(...cells.map(({ length }) => length));
    const row = Array.from({ length: height }, (_, part) =>
      joined(
        cells.map((cell) => cell[part] ?? ""),
        widths,
      ),
    );
    return at === 0 ? row : [...row, ...below(headings.slice(count), line.slice(count), width)];
  });
}

/** The lines of a text that are at most `width` characters long, except for longer words. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/ +/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** The values of a row without a column, each after its heading; empty values are left out. */
function below(headings: readonly string[], values: readonly string[], width: number): string[] {
  const named = headings.flatMap((heading, at) => (values[at] === "-" ? [] : [`${heading}: ${values[at]}`]));
  if (named.length === 0) return [];
  return wrapped(named.join("; "), width - indent).map((line) => " ".repeat(indent) + line);
}

const naturalWidths = (lines: readonly (readonly string[])[]) =>
  (lines[0] ?? []).map((_, at) => lines.reduce((width, line) => Math.max(width, line[at]?.length ?? 0), 0));

const longestWord = (text: string) => Math.max(...text.split(" ").map(({ length }) => length));

const totalOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));

/**
 * Column widths that fit into `width`, as large as possible. Columns that are too wide are cut to one common width, or to their least width
 * if that is greater.
 */
function narrowed(natural: readonly number[], least: readonly number[], width: number): number[] {
  const cut = (most: number) => natural.map((each, at) => Math.max(least[at] ?? 0, Math.min(each, most)));
  let most = width;
  while (most > 1 && totalOf(cut(most)) > width) most -= 1;
  return cut(most);
}

const joined = (cells: readonly string[], widths: readonly number[]) =>
  cells
    .map((cell, at) => (at === cells.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
    .join(" ".repeat(gap))
    .trimEnd();
