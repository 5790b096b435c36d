/**
 * The text around the administrator key of the first start: where the service answers, and commands to paste.
 */

/** What the text says of the service. */
export interface Addresses {
  readonly url: string;
  readonly dns: { readonly address: string; readonly port: number };
  /** Where it serves the console; undefined where it serves none. */
  readonly consoleUrl?: string | undefined;
}

/** The text; `key` is undefined when it is the operator's own, from ADMIN_API_KEY. */
export function welcome({ url, dns, consoleUrl }: Addresses, key: string | undefined): string {
  const query = '{ domain(by: { zone: \\"first.example\\" }) { serial records { nodes { owner type ttl rdata } } } }';
  const shown =
    key === undefined
      ? "\nIts administrator key is the one in ADMIN_API_KEY.\n"
      : `\nIts administrator key, shown this once:\n\n  ${key}\n`;
  const header = `-H "X-API-Key: $ZONESMITH_API_KEY"`;
  return `
Zonesmith answers at ${url}, DNS at ${dns.address} port ${dns.port}.
${consoleUrl ? `\nIts console, for a browser; sign in there with the key below:\n\n  ${consoleUrl}\n` : ""}${shown}
Paste these into another shell: create a user, find it, create a domain, read it back. A second time, the user and the domain
are refused, since they are there (DUPLICATE_EMAIL, DUPLICATE_ZONE), and the rest does the same again.

  export ZONESMITH_API_KEY=${key ?? "$ADMIN_API_KEY"}

  curl -s ${header} ${url}/api/user/add -d email=first@example.org

  USER_ID=$(curl -s ${header} "${url}/api/user/list?email=first@example.org" | grep -o '[0-9]\\{16\\}' | head -n 1)

  curl -s ${header} ${url}/api/domain/add -d user_id=$USER_ID -d zone=first.example

  curl -s ${header} ${url}/graphql -H 'Content-Type: application/json' -d '{"query": "${query}"}'

Or with the zonesmith command; in a checkout, first: export PATH="$PWD/bin:$PATH"

  export ZONESMITH_URL=${url}

  zonesmith record add first.example app A 192.0.2.1

  zonesmith record list first.example

  zonesmith status
`;
}
