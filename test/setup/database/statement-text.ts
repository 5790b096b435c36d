/** Statements as a test sees them that watches node-postgres's clients. */
import type { QueryConfig } from "pg";

/** The text of a statement, which a client takes as a text or in its configuration of a query. */
export const textOf = (statement: unknown): string => (statement as QueryConfig).text ?? String(statement);
