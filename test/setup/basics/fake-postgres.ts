/**
 * A server of a test's own that speaks as much of PostgreSQL's protocol (3.0) as it takes to find out whether it is the primary: it lets
 * everyone in, and answers every query by the role that the test gives it.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** A primary on a timeline, a standby, or a server that accepts no further connection. */
type FakeRole = { readonly timeline: number } | "standby" | "full";

/** A message of the server: its type, and its body after its length. */
function message(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);

const ready = message("Z", "I");

/** A column of type text, its one row and the end of the statement. */
function answer(column: string, value: string | undefined): Buffer {
  const field = [`${column}\0`, int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)];
  const row = value === undefined ? [int32(-1)] : [int32(value.length), value];
  const answered = [message("T", int16(1), ...field), message("D", int16(1), ...row), message("C", "SELECT 1\0")];
  return Buffer.concat([...answered, ready]);
}

export class FakePostgres {
  role: FakeRole;
  /** Whether it answers nothing, as a process that is suspended. */
  isSuspended = false;
  /** The application names of the connections that were opened. */
  readonly opened: string[] = [];
  #port = 0;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(role: FakeRole) {
    this.role = role;
  }

  /** Where it listens, as DATABASE_URL names it. */
  get name(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Listens, at the port that it had before. */
  async open(): Promise<this> {
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(server, "close");
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    let hasStarted = false;
    let waiting = Buffer.alloc(0);
    socket.on("data", (data) => {
      waiting = Buffer.concat([waiting, data]);
      for (;;) {
        const head = hasStarted ? 1 : 0; // The first message has no type.
        if (waiting.length < head + 4) return;
        const end = head + waiting.readInt32BE(head);
        if (waiting.length < end) return;
        const body = waiting.subarray(head + 4, end).toString();
        const type = hasStarted ? String.fromCharCode(waiting[0] as number) : "startup";
        waiting = waiting.subarray(end);
        hasStarted = true;
        if (!this.isSuspended) this.#receive(socket, type, body);
      }
    });
  }

  #receive(socket: Socket, type: string, body: string): void {
    if (type === "X") return void socket.end();
    if (type === "startup" && this.role === "full")
      return void socket.end(message("E", "SFATAL\0VFATAL\0C53300\0Mtoo many clients already\0\0"));
    if (type === "startup") {
      this.opened.push(/application_name\0([^\0]*)/.exec(body)?.[1] ?? "");
      socket.write(Buffer.concat([message("R", int32(0)), message("K", int32(1), int32(1)), ready]));
    }
    if (type === "Q") socket.write(this.#answerTo(body));
  }

  #answerTo(statement: string): Buffer {
    const { role } = this;
    const isPrimary = typeof role === "object";
    if (statement.includes("pg_is_in_recovery")) return answer("standby", isPrimary ? undefined : "t");
    const timeline = isPrimary ? role.timeline.toString(16).padStart(8, "0") : "";
    if (statement.includes("pg_walfile_name")) return answer("timeline", timeline);
    return answer("name", this.name);
  }
}
