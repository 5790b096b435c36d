/** Checks the certificates of HTTPS and DNS over TLS: their files, their end, and the one that DNS over TLS shows. */
import type { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import type { Config } from "../config/config.ts";
import { certificateWarningMs, readCertificate } from "../net/certificate.ts";
import { reachableAddress } from "../net/listening-address.ts";
import { certificateFiles } from "../service/certificates.ts";
import { type Finding, failure, note, ok, textOf, warning } from "./finding.ts";

const timeoutMs = 3000;
const renewal = "renew it; the service takes new files within seconds, without a restart";

/** Checks the files of each certificate that the settings name. */
export async function checkCertificates(config: Config, now: Date): Promise<Finding[]> {
  const { http, dns } = certificateFiles(config);
  const all = [...new Set([http, dns])].filter((files) => files !== undefined);
  return Promise.all(
    all.map(async (files) => {
      const { setting, path } = files.cert;
      try {
        const { validToDate: end } = await readCertificate(files, now);
        const ends = `${path} is valid until ${end.toISOString()}`;
        const isSoon = end.getTime() - now.getTime() <= certificateWarningMs;
        return isSoon ? warning(setting, `The certificate in ${ends}.`, renewal) : ok(setting, ends);
      } catch (error) {
        return failure(setting, textOf(error), renewal);
      }
    }),
  );
}

/** Connects to DNS over TLS, if the settings have it, and compares the certificate. */
export async function checkDnsOverTls(config: Config, now: Date): Promise<Finding[]> {
  const { DNS_TLS_PORT: port, DNS_LISTEN } = config;
  const { dns } = certificateFiles(config);
  if (port === undefined || !dns) return [];
  const check = "DNS TLS";
  if (port === 0)
    return [
      note(check, "DNS_TLS_PORT is 0, so it answers at a port that secondaries cannot know.", "DNS_TLS_PORT=853"),
    ];
  const address = reachableAddress(DNS_LISTEN);
  const shown = await shownCertificate(address, port);
  const fix = `start the service with DNS_LISTEN=${DNS_LISTEN} DNS_TLS_PORT=${port}; see which program has that port: ss -lnp 'sport = :${port}'`;
  if (typeof shown === "string") return [failure(check, `At ${address} port ${port}: ${shown}.`, fix)];
  const own = await readCertificate(dns, now).catch(() => undefined);
  if (!own || own.fingerprint256 === shown.fingerprint256) return [ok(check, `answers at ${address} port ${port}`)];
  const other = `another certificate than ${dns.cert.path} holds, valid until ${shown.validToDate.toISOString()}`;
  return [warning(check, `It answers at ${address} port ${port} with ${other}.`, "see why in the log of the service")];
}

/** Returns the certificate that a server shows; a clause that says why there is no certificate otherwise. */
function shownCertificate(host: string, port: number): Promise<X509Certificate | string> {
  return new Promise((resolve) => {
    // This machine may not know the authorities that secondaries trust.
    const socket = connect({ host, port, ALPNProtocols: ["dot"], rejectUnauthorized: false, timeout: timeoutMs });
    const end = (result: X509Certificate | string) => {
      resolve(result);
      socket.destroy();
    };
    socket.on("secureConnect", () => {
      const { alpnProtocol } = socket;
      end(alpnProtocol === "dot" ? (socket.getPeerX509Certificate() as X509Certificate) : "it speaks TLS, but no DNS");
    });
    socket.on("timeout", () => end(`no TLS handshake within ${timeoutMs / 1000} s`));
    socket.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? textOf(error)));
    socket.on("close", () => end("it closed the connection"));
  });
}
