/** The configuration that the command `zonesmith tsig create` prints for a client of a zone, and the key in it. */
import { expect } from "@jest/globals";
import { type ClientKey, clientKey } from "../dns/update-client.ts";
import type { TestService } from "../service/service.ts";
import { commandLine } from "./command-line.ts";

export async function printedSnippet(service: TestService, zone: string, client: string): Promise<string> {
  const line = `tsig create --for ${client} --zone ${zone} --server 127.0.0.1:${service.dnsPort}`;
  const [code, stdout, stderr] = await commandLine(service).run(line);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** The key that a snippet brings, which is named after its client and zone. */
export function keyIn(snippet: string, zone: string, client: string): ClientKey {
  const name = `${client}.${zone}`;
  const [secret = ""] = /[A-Za-z0-9+/]{40,}={0,2}/.exec(snippet) ?? [];
  expect(snippet).toContain(name);
  return clientKey(name, secret);
}
