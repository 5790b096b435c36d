/** Starts listening, and says in one line that names the setting to change why a server cannot listen. */
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** The protocol of a server, and the names of the settings of its port and address. */
export interface ListenSettings {
  readonly protocol: string;
  readonly port: string;
  readonly address: string;
}

export function listenFailure(code: string | undefined, port: number, address: string, set: ListenSettings): string {
  if (code === "EADDRINUSE")
    return `Port ${port} on ${address} is in use; stop what listens there, or set ${set.port} to a free port.`;
  if (code === "EACCES")
    return `Port ${port} on ${address} is not allowed for this user; set ${set.port} to a port above 1023.`;
  const advice = `set ${set.address} to an address of this machine.`;
  return `${set.protocol} cannot listen on ${address} port ${port} (${code}); ${advice}`;
}

/** Listens and returns the address; throws the line when that fails. */
export async function listen(server: Server, port: number, address: string, set: ListenSettings): Promise<AddressInfo> {
  server.listen(port, address);
  await once(server, "listening").catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(listenFailure(code, port, address, set));
  });
  return server.address() as AddressInfo;
}
