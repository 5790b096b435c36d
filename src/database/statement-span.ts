/** The span of a statement inside another span: its text with numbered parameters, without values. */
import { beginSpan, type Span } from "../trace/span.ts";

const maxLength = 2000;

/** Begins the span of a statement, a text or a query configuration of node-postgres; returns undefined when nothing is recorded. */
export function beginStatement(statement: unknown): Span | undefined {
  const text = typeof statement === "object" ? (statement as { text?: unknown } | null)?.text : statement;
  if (typeof text !== "string") return undefined;
  const attributes = { "db.system.name": "postgresql", "db.query.text": text.slice(0, maxLength) };
  return beginSpan(nameOf(text), { kind: "client", isPart: true, attributes });
}

const nameOf = (text: string) => /^(?:\s|\/\*.*?\*\/)*(\w+)/s.exec(text)?.[1]?.toLowerCase() ?? "statement";
