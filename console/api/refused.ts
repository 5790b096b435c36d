/**
 * The two failures of an operation: a refusal of the service, or no answer.
 */

/** One reason of a refusal; `field` is a place in the input, such as `add.3.rdata`. */
export interface Reason {
  readonly code: string;
  readonly field?: string;
  readonly part?: string;
  readonly line?: number;
  /** Of a reason about an RRset, or about all records of an owner. */
  readonly owner?: string;
  readonly type?: string;
  readonly message: string;
}

/** The `extensions` of a GraphQL error; the body of a REST error has the same under other names. */
export interface RefusalBody {
  readonly code: string;
  readonly field?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly details?:
    | ({ readonly reasons?: readonly Reason[]; readonly errorId?: string } & Readonly<Record<string, unknown>>)
    | undefined;
}

/** A request that the service understood and refused, with its sentence. `data` is the data of the same answer. */
export class Refused extends Error {
  readonly status: number;
  readonly body: RefusalBody;
  readonly data: unknown;

  constructor(status: number, message: string, body: RefusalBody, data?: unknown) {
    super(message);
    this.name = "Refused";
    this.status = status;
    this.body = body;
    this.data = data;
  }

  get code(): string {
    return this.body.code;
  }

  /** All reasons; at least one. */
  get reasons(): readonly Reason[] {
    const { code, field, details } = this.body;
    return details?.reasons ?? [{ code, message: this.message, ...(field !== undefined && { field }) }];
  }

  /** The id of a fault in the service's log. */
  get errorId(): string | undefined {
    return this.body.details?.errorId;
  }

  /** After how many seconds it may succeed; undefined when waiting does not help. */
  get retryAfter(): number | undefined {
    return this.body.retryAfter;
  }
}

/** No answer: the service was not reached, or the connection broke before its answer was complete. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The service did not answer.", { cause });
    this.name = "Unreachable";
  }
}

/** A refusal of the page itself, about one field of a form. */
export class RefusedField extends Refused {
  constructor(field: string, message: string) {
    super(422, message, { code: "INVALID_VALUE", field });
  }
}
