/**
 * What a version's folder holds, and how a service is asked the questions in it. The GraphQL operations are data of the folder too
 * (questions.graphql): when the schema changes on purpose, they are adapted there and the answers stay.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TsigAlgorithm } from "../../../src/dns/message/tsig.ts";
import { transfer } from "../../setup/dns/transfer.ts";
import { type ClientKey, clientKey } from "../../setup/dns/update-client.ts";
import type { Client, Json } from "../../setup/service/client.ts";

/** What is needed besides the dump: setup.json. Every key in it opens nothing but this dump. */
export interface Setup {
  readonly settings: Readonly<Record<string, string>>;
  /** API keys by what they are for. */
  readonly apiKeys: Readonly<Record<string, string>>;
  /** TSIG keys by name. */
  readonly tsigKeys: Readonly<Record<string, { readonly algorithm: string; readonly secret: string }>>;
  /** What the test of writes may touch. */
  readonly writes: {
    /** An API key that may write. */
    readonly apiKey: string;
    readonly userId: string;
    /** A zone with history, and the owner of one of its records. */
    readonly zone: string;
    readonly owner: string;
    /** A zone that was deleted, and its last serial. */
    readonly deletedZone: string;
    readonly deletedSerial: number;
    /** The catalog zone, and the TSIG key that transfers it and all others. */
    readonly catalog: string;
    readonly tsigKey: string;
  };
}

/** One question; API keys and TSIG keys go by their names in setup.json, null is none. */
export type Question =
  | {
      readonly rest: { readonly key: string | null; readonly method?: string; readonly path: string };
      readonly form?: Record<string, string>;
    }
  | {
      readonly graphql: {
        readonly key: string | null;
        readonly operation: string;
        readonly variables: Record<string, unknown>;
      };
    }
  | { readonly transfer: { readonly key: string | null; readonly zone: string; readonly since?: number } };

/** A question and its answer, a line of answers.jsonl. */
export type Answered = Question & { readonly answer: Json };

/** A version's folder. */
export interface Recorded {
  readonly dump: string;
  readonly setup: Setup;
  readonly operations: string;
  readonly answers: readonly Answered[];
}

/** The files of a version's folder. */
export const files = {
  dump: "dump.sql",
  setup: "setup.json",
  operations: "questions.graphql",
  answers: "answers.jsonl",
} as const;

export function readRecorded(folder: string): Recorded {
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  return {
    dump: read(files.dump),
    setup: JSON.parse(read(files.setup)),
    operations: read(files.operations),
    answers: read(files.answers)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

/** The TSIG key of this name as a client holds it. */
export function tsigKeyOf(setup: Setup, name: string): ClientKey {
  const key = setup.tsigKeys[name];
  if (!key) throw new Error(`setup.json has no TSIG key ${name}`);
  return clientKey(name, key.secret, key.algorithm as TsigAlgorithm);
}

/** Asks one question. Of a refusal it returns only status and code, since the message may be improved. */
export async function ask(
  service: Client,
  { setup, operations }: Pick<Recorded, "setup" | "operations">,
  question: Question,
): Promise<Json> {
  const keyOf = (name: string | null) => (name === null ? null : (setup.apiKeys[name] as string));
  if ("rest" in question) {
    const { key, method = "GET", path } = question.rest;
    const { form } = question;
    const { status, text, body } = await service.rest(method, path, { key: keyOf(key), ...(form && { form }) });
    return status >= 400 ? { status, error: body?.error } : { status, body: body ?? text };
  }
  if ("graphql" in question) {
    const { key, operation, variables } = question.graphql;
    const { body } = await service.graphql(operations, variables, keyOf(key), operation);
    return body.errors ? { error: body.errors[0].extensions.code } : body.data;
  }
  const { key, zone, since } = question.transfer;
  return transfer(service.dnsPort, zone, { key: key === null ? undefined : tsigKeyOf(setup, key), since });
}
