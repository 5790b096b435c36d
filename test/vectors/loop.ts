/**
 * The one loop over input with known verdicts: whoever reads the input, a parser or an interface of the service, gives each line the
 * verdict that the line says.
 */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "@jest/globals";

/** What reads lines and gives verdicts. */
export interface Reader<Line, Verdict> {
  readonly name: string;
  /** Which lines it can be given; all without it. */
  readonly takes?: ((line: Line) => boolean) | undefined;
  readonly verdict: (line: Line) => Verdict | Promise<Verdict>;
  readonly expected: (line: Line) => Verdict;
}

/** Which rule a line stands for. */
type RuleOf<Line> = (line: Line) => string;

const byRule = <Line>({ takes = () => true }: Reader<Line, unknown>, lines: readonly Line[], ruleOf: RuleOf<Line>) => [
  ...Map.groupBy(lines.filter(takes), ruleOf),
];

/** A test for each line, below its rule; `more` adds tests of the same reader. */
export function eachLine<Line, Verdict>(
  reader: Reader<Line, Verdict>,
  lines: readonly Line[],
  { ruleOf, nameOf, more }: { ruleOf: RuleOf<Line>; nameOf: (line: Line) => string; more?: () => void },
): void {
  describe(reader.name, () => {
    describe.each(byRule(reader, lines, ruleOf))("%s", (_rule, ofRule) => {
      test.each(ofRule.map((line) => [nameOf(line), line] as const))("%s", async (_name, line) => {
        expect(await reader.verdict(line)).toEqual(reader.expected(line));
      });
    });
    more?.();
  });
}

/** A test for each rule, for files of thousands of lines; it shows the lines that are wrong. */
export function eachRule<Line, Verdict>(
  reader: Reader<Line, Verdict>,
  lines: readonly Line[],
  ruleOf: RuleOf<Line>,
): void {
  describe(reader.name, () => {
    test.each(byRule(reader, lines, ruleOf))("%s", async (_rule, ofRule) => {
      const wrong: { line: Line; verdict: Verdict }[] = [];
      for (const line of ofRule) {
        const verdict = await reader.verdict(line);
        if (!isDeepStrictEqual(verdict, reader.expected(line))) wrong.push({ line, verdict });
      }
      expect(wrong).toEqual([]);
    });
  });
}
