/** Opens the certificates of HTTPS and of DNS over TLS: one for both, unless DNS has its own. */
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { Certificate, type CertificateFiles } from "../net/certificate.ts";

export interface Certificates {
  readonly http: Certificate | undefined;
  readonly dns: Certificate | undefined;
}

/** Returns the files of each certificate by the settings; both uses have the same files when they share one certificate. */
export function certificateFiles(config: Config): Readonly<Record<keyof Certificates, CertificateFiles | undefined>> {
  const { DNS_TLS_CLIENT_CA: path } = config;
  const ca = path === "" ? undefined : { setting: "DNS_TLS_CLIENT_CA", path };
  const filesOf = (cert: "TLS_CERT" | "DNS_TLS_CERT", key: "TLS_KEY" | "DNS_TLS_KEY", withClients: boolean) => {
    if (config[cert] === "") return undefined;
    return {
      cert: { setting: cert, path: config[cert] },
      key: { setting: key, path: config[key] },
      ca: withClients ? ca : undefined,
    };
  };
  const own = filesOf("DNS_TLS_CERT", "DNS_TLS_KEY", true);
  const http = filesOf("TLS_CERT", "TLS_KEY", own === undefined);
  return { http, dns: config.DNS_TLS_PORT === undefined ? undefined : (own ?? http) };
}

/** Reads the certificates; `resources` stops their renewal. Throws a sentence that names the setting of the wrong file. */
export async function openCertificates(
  config: Config,
  log: Logger,
  resources: AsyncDisposableStack,
): Promise<Certificates> {
  const files = certificateFiles(config);
  const open = async (each: CertificateFiles | undefined) => {
    if (!each) return undefined;
    const certificate = await Certificate.open(each, log);
    resources.defer(() => certificate.stop());
    return certificate;
  };
  const http = await open(files.http);
  return { http, dns: files.dns === files.http ? http : await open(files.dns) };
}

export const certificateEnds = ({ http, dns }: Certificates) =>
  Object.entries({ https: http, dns }).flatMap(([use, certificate]) =>
    certificate ? [{ use, endsAt: certificate.endsAt }] : [],
  );
