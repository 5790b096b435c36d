/**
 * The span of a statement that is a part of something: its text, in which values have numbers, and no value.
 */
import { beginSpan, type Span } from "../trace/span.ts";

/** The longest part of a statement that is recorded, characters. */
const maxLength = 2000;

/** Begins the span of a statement, a text or node-postgres's configuration of a query; undefined where nothing is recorded. */
export function beginStatement(statement: unknown): Span | undefined {
  const text = typeof statement === "object" ? (statement as { text?: unknown } | null)?.text : statement;
  if (typeof text !== "string") return undefined;
  const attributes = { "db.system.name": "postgresql", "db.query.text": text.slice(0, maxLength) };
  return beginSpan(nameOf(text), { kind: "client", isPart: true, attributes });
}

/** The first word after comments. */
const nameOf = (text: string) => /^(?:\s|\/\*.*?\*\/)*(\w+)/s.exec(text)?.[1]?.toLowerCase() ?? "statement";
