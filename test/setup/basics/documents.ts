/** The documents for people: the README and those of docs, and their fenced blocks. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../../..");

export const readDocument = (file: string) => readFileSync(resolve(root, file), "utf8");

export const documents: readonly string[] = [
  "README.md",
  ...readdirSync(resolve(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((file) => `docs/${file}`)
    .filter((file) => file.endsWith(".md"))
    .sort(),
];

export interface Block {
  readonly file: string;
  readonly heading: string;
  readonly text: string;
  /** Whether it is in an item of a list. */
  readonly inList: boolean;
}

/** The fenced blocks of a language in a document, without the indent of their fence. */
export function blocksOf(file: string, language: string): Block[] {
  const fenced = /^#+ (.+)$|^( *)```(\w*)\n([\s\S]*?)^ *```$/gm;
  let heading = "";
  const blocks: Block[] = [];
  for (const [, title, indent = "", name, text = ""] of readDocument(file).matchAll(fenced)) {
    if (title !== undefined) heading = title;
    else if (name === language)
      blocks.push({ file, heading, text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""), inList: indent !== "" });
  }
  return blocks;
}
