/** The text of a connection error to a name server, in place of the operating system's code. */

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing answers at its address and port",
  ECONNRESET: "it broke the connection off",
  EHOSTUNREACH: "there is no way to its address",
  ENETUNREACH: "there is no way to its address",
  ETIMEDOUT: "the connection to it timed out",
};

export function unreachableText(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? `${words[code] ?? "it cannot be reached"} (${code})` : undefined;
}
