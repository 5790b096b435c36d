/** Checks that the service answers on this machine: HTTP, and DNS over UDP and TCP. */
import type { Config } from "../config/config.ts";
import { reachableAddress } from "../net/listening-address.ts";
import { probeSoa } from "../publisher/packets/soa-probe.ts";
import { UdpSockets } from "../publisher/packets/udp-client.ts";
import type { AskedZone, Stock } from "./database-contents.ts";
import { type Finding, failure, note, ok, textOf, warning } from "./finding.ts";

const timeoutMs = 3000;

export async function checkHttp(url: string): Promise<Finding> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(timeoutMs * 2) });
    if (response.ok) return ok("service", `ready at ${url}`);
    const { reason = `HTTP ${response.status}` } = (await response.json()) as { reason?: string };
    return failure("service", `It runs at ${url}, and is not ready: ${reason}.`, "see its log");
  } catch (error) {
    const { code = textOf(error) } = ((error as Error).cause ?? error) as { code?: string };
    if (/CERT|LEAF_SIGNATURE/.test(code))
      return warning(
        "service",
        `It answers at ${url}, with a certificate that this machine does not accept (${code}).`,
        "ZONESMITH_URL with a name that the certificate is for, or NODE_EXTRA_CA_CERTS with the file of its authority",
      );
    return failure(
      "service",
      `It does not run, or not at ${url} (${code}).`,
      "zonesmith serve, or systemctl start zonesmith; when it runs elsewhere, set ZONESMITH_URL, or its own settings, here",
    );
  }
}

/** A question to the name server; the serial -1 means that the name server refuses it. */
interface Asked extends AskedZone {
  readonly key: Stock["secondaries"][number]["key"];
}

export async function checkDns(config: Config, stock: Stock | undefined): Promise<Finding[]> {
  const { DNS_LISTEN, DNS_PORT: port } = config;
  if (port === 0)
    return [note("DNS", "DNS_PORT is 0, so it answers at a port that secondaries cannot know.", "DNS_PORT=5300")];
  const address = reachableAddress(DNS_LISTEN);
  const question = questionOf(config, stock);
  const sockets = new UdpSockets();
  try {
    const findings: Finding[] = [];
    for (const overTcp of [false, true]) {
      const protocol = overTcp ? "TCP" : "UDP";
      const peer = { address, port, key: question.key, keyError: undefined };
      const answer = await probeSoa(sockets, peer, { zone: question.zone, overTcp }, timeoutMs);
      const isExpected = answer.kind === "serial" || (question.serial < 0 && answer.kind === "refused");
      const shown = question.serial < 0 ? "" : `: ${question.zone} has serial ${answer.message}`;
      const fix =
        answer.kind === "silent"
          ? `start the service with DNS_LISTEN=${DNS_LISTEN} DNS_PORT=${port}, and let ${protocol} to port ${port} pass the firewall`
          : `see which program has that port: ss -lnp 'sport = :${port}'`;
      const wrong = `At ${address} port ${port}, asked for ${question.zone}: ${answer.message}.`;
      const check = `DNS ${protocol}`;
      findings.push(isExpected ? ok(check, `answers at ${address} port ${port}${shown}`) : failure(check, wrong, fix));
    }
    return findings;
  } finally {
    sockets.close();
  }
}

/** Returns the question for the catalog, signed with the key of a secondary; or for a zone; or for the name of the catalog, unsigned. */
function questionOf({ CATALOG_ZONE }: Config, stock: Stock | undefined): Asked {
  const key = stock?.secondaries.find((each) => each.key)?.key;
  const catalog = stock?.catalogs[0];
  if (catalog && key) return { zone: catalog.zone, serial: catalog.serial, key };
  if (stock?.sample) return { ...stock.sample, key: undefined };
  return { zone: CATALOG_ZONE, serial: -1, key: undefined };
}
