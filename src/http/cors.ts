/** Which origins may read an answer in a browser (the Fetch standard, "CORS protocol"). */
import cors from "cors";

const exposedHeaders = [
  "X-Request-Id",
  "X-Change-Id",
  "X-Zone-Serial",
  "X-Publication",
  "Preference-Applied",
  "X-Warning",
  "X-Total-Count",
  "Link",
  "Retry-After",
];

/** Makes the handler that answers preflight requests and adds the headers to every answer. */
export const corsOf = (origins: readonly string[]) => cors({ origin: [...origins], exposedHeaders, maxAge: 600 });

/** The headers of CORS by origin, names and values in turn. */
export class OriginHeaders {
  readonly #ofOrigin: ReadonlyMap<string, readonly string[]>;
  readonly #ofOthers: readonly string[];

  constructor(origins: readonly string[]) {
    this.#ofOrigin = new Map(origins.map((origin) => [origin, headersFor(origins, origin)]));
    this.#ofOthers = headersFor(origins, undefined);
  }

  of(origin: string | undefined): readonly string[] {
    return this.#ofOrigin.get(origin ?? "") ?? this.#ofOthers;
  }
}

function headersFor(origins: readonly string[], origin: string | undefined): readonly string[] {
  if (origins.length === 0) return [];
  const headers = new Map<string, string>();
  const response = {
    getHeader: (name: string) => headers.get(name),
    setHeader: (name: string, value: string) => void headers.set(name, value),
  };
  const request = { method: "POST", headers: origin === undefined ? {} : { origin } };
  corsOf(origins)(request as never, response as never, () => {});
  return [...headers].flat();
}
