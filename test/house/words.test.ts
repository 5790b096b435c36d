/**
 * The words of the code, the schema and the documents are those of the field (docs/glossary.md). Each phrase below was once used here
 * instead of one, or is not standard English; the right column has what to write.
 */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "@jest/globals";

/** A retired phrase, as it is matched in text with its line breaks taken out, and what to write instead. */
type Retired = readonly [phrase: RegExp, instead: string];

const retired: readonly Retired[] = [
  [/\banew\b|\bafresh\b/i, "again"],
  [/\b(re)?born\b/i, "created"],
  [/\bmend(s|ed|ing)?\b/i, "correct"],
  [/\bcure[sd]?\b/i, "hint, fix, what to do"],
  [/\bnobody's\b/i, "of no user"],
  [/\b(told|tells?)\b/i, "says, shows, returns, notifies"],
  [/(?<!\bthere )\b(is|are) none\b/i, "is not a …, does not have one"],
  [/\bwhat\b[^.:;]{0,50}\b(came|comes?) (of|to)\b/i, "the result of"],
  [/\bcame to nothing\b/i, "failed, had no effect"],
  [/\bwhat becomes? of\b/i, "what happens to"],
  [/\bin words\b/i, "as text"],
  [/\banother one\b/i, "another, with its noun"],
  [/\bidlest\b/i, "idle for longest"],
  [/\bof which\b/i, "two sentences"],
  [/\bso (many|much)\b[^.:;]{0,40}\bat once\b/i, "at most … at a time, concurrent"],
  [/\b(in|takes?|took) office\b/i, "is elected, leads"],
  [/\bpursu(e[sd]?|its?|ing)\b/i, "delivery, delivers"],
  [/\bcorrespond(ences?|ents?)\b/i, "worker"],
  [/\bledgers?\b/i, "buffer"],
  [/\blanes?\b/i, "queue"],
  [/\bsweeps?\b/i, "resync"],
  [/\bthe house\b/i, "any module, the service"],
  [/\bgates?\b/i, "parser"],
  [/\bspares?\b/i, "avoids, saves"],
  [/\blacks\b|\black of it\b/i, "does not have, without"],
  [/(?<!-)\b(stands?|stood)\b(?!-| for\b)/i, "is"],
  [/\bhears? of\b/i, "is notified of"],
  [/\bcalm\b/i, "low priority, done"],
  [/\brehearsals?\b/i, "dry run, check"],
  [/\b(judg(e[sd]?|ing)|judgements?)\b/i, "check"],
  [/\bfound(s|ed)\b/i, "creates"],
  [/\/\*\* Answers\b/, "Returns"],
  [/\b(const|let) (told|said|asked|given|known|found|made|seen|stood)\b/, "the name of its type or role"],
];

/** Where a phrase may be: the rules judge a zone, a server answers a request, and a test of acknowledged writes has a public name. */
const exceptions: readonly (readonly [text: RegExp, path: RegExp])[] = [
  [/^judg/i, /^src\/zone\/edit\/rules\.ts$/],
  [/Answers$/, /^src\/(nameserver|http|rest)\//],
  [/^ledger$/, /^(docs\/guarantees|CHANGELOG)\.md$/],
];

/** Migrations are never edited. */
const unchanging = "src/migrations/";

const root = resolve(import.meta.dirname, "../..");

function textFiles(): string[] {
  const inside = (folder: string, form: RegExp) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => form.test(file) && !/\b(node_modules|generated|dist)\b/.test(file))
      .map((file) => `${folder}/${file}`);
  const code = ["src", "console", "docs", "examples"].flatMap((folder) => inside(folder, /\.(tsx?|md)$/));
  return [...code, "schema.graphql", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];
}

/** The retired phrases of a text, each with what to write instead. A phrase may continue on the next line of a comment. */
function phrasesOf(path: string, text: string): string[] {
  const flat = text.replace(/\s*\n\s*(\*(?!\/)|\/\/|#)?\s*/g, " ");
  return retired.flatMap(([phrase, instead]) =>
    [...flat.matchAll(new RegExp(phrase, `g${phrase.flags}`))]
      .filter(([match]) => !exceptions.some(([allowed, where]) => allowed.test(match) && where.test(path)))
      .map(([match]) => `${path}: "${match}": write ${instead}`),
  );
}

test("no retired phrase is used", () => {
  const files = textFiles().filter((file) => !file.startsWith(unchanging));
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap((file) => phrasesOf(file, readFileSync(resolve(root, file), "utf8")))).toEqual([]);
});

test("a retired phrase is seen, also across lines of a comment, and its exceptions are not", () => {
  const text = "/** Answers what\n * came of it. */\nthere is none; a stand-alone server; `*` stands for any";
  expect(phrasesOf("src/zone/domain.ts", text)).toEqual([
    'src/zone/domain.ts: "what came of": write the result of',
    'src/zone/domain.ts: "/** Answers": write Returns',
  ]);
  expect(phrasesOf("src/zone/edit/rules.ts", "Judges a zone.")).toEqual([]);
  expect(phrasesOf("src/nameserver/answer.ts", "/** Answers a query. */")).toEqual([]);
});
