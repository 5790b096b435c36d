/** A stand-in for RESTKnot 0.7: its lists of users and of a user's domains, with its envelope, its refusals and its ids. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A record as its table has it, with the number of its id. */
type Row = readonly [owner: string, type: string, rdata: string | null, ttl?: string];

export interface RestknotUser {
  readonly email: string;
  readonly zones: Readonly<Record<string, readonly Row[]>>;
}

export class Restknot {
  readonly key = "a key of RESTKnot";
  users: readonly RestknotUser[] = [];
  readonly #server: Server = createServer((request, response) => {
    if (request.headers["x-api-key"] !== this.key) return answer(response, 400, { message: "Access denied" });
    const [, id] = /^\/api\/domain\/list\/user\/(\d+)$/.exec(request.url ?? "") ?? [];
    if (request.url !== "/api/user/list" && id === undefined) return response.writeHead(404).end("<h1>Not Found</h1>");
    const rows = id === undefined ? this.users.map(userOf) : this.#domainsOf(id);
    if (rows.length === 0) return answer(response, 404, { message: "Not Found" });
    return answer(response, 200, { count: rows.length, data: rows, message: "OK" });
  });

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #domainsOf(userId: string): object[] {
    const at = this.users.findIndex((_, index) => idOf("user", index) === userId);
    const user = this.users[at] as RestknotUser;
    return Object.entries(user.zones).map(([zone, rows], index) => ({
      zone_id: raw(idOf("zone", at * 100 + index)),
      zone,
      user: { id: raw(userId), email: user.email },
      records: rows.map(([owner, type, rdata, ttl = "3600"], row) => ({
        id: raw(idOf("record", (at * 100 + index) * 100 + row)),
        owner,
        rdata,
        type,
        ttl,
      })),
    }));
  }
}

/** Ids as CockroachDB makes them: numbers of 18 digits. */
export const idOf = (kind: "user" | "zone" | "record", at: number) =>
  `51256${{ user: 1, zone: 2, record: 3 }[kind]}${String(at).padStart(11, "0")}7`;

const userOf = ({ email }: RestknotUser, at: number) => ({
  id: raw(idOf("user", at)),
  email,
  created_at: "2021-02-03T04:05:06.789012",
});

/** A number that JSON has with all its digits. */
const raw = (digits: string) => `#${digits}#`;

function answer(response: ServerResponse, code: number, body: object): void {
  const text = JSON.stringify({ code, status: code === 200 ? "success" : "error", ...body });
  response.writeHead(code, { "Content-Type": "application/json" }).end(text.replace(/"#(\d+)#"/g, "$1"));
}
