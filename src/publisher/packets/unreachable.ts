/**
 * Why a name server was not reached, as text: what the operating system says of a connection is a code.
 */

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing answers at its address and port",
  ECONNRESET: "it broke the connection off",
  EHOSTUNREACH: "there is no way to its address",
  ENETUNREACH: "there is no way to its address",
  ETIMEDOUT: "the connection to it timed out",
};

/** What is said of an error of a socket; undefined of any other. */
export function unreachableText(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? `${words[code] ?? "it cannot be reached"} (${code})` : undefined;
}
