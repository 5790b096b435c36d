/**
 * A certificate with its key, from PEM files, for TLS servers. The files are read at the start and compared every few seconds with the
 * certificate in use; they are not watched, since renewal replaces files in many ways (rename, symbolic link, mounted folder). When new
 * files cannot be read, do not fit together or are not valid now, the certificate in use stays and the log says why.
 * Limitation: keys with a passphrase and revocation lists are not supported.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { Logger } from "pino";

interface NamedFile {
  readonly setting: string;
  readonly path: string;
}

/** The certificate with its chain, its key, and, if clients need certificates, the authorities that sign these. */
export interface CertificateFiles {
  readonly cert: NamedFile;
  readonly key: NamedFile;
  readonly ca?: NamedFile | undefined;
}

type Contents = { readonly [Name in keyof CertificateFiles]: string };

interface SecureServer {
  setSecureContext(options: SecureContextOptions): void;
}

interface CertificateOptions {
  readonly now?: () => Date;
  readonly everyMs?: number;
}

const defaultEveryMs = 2000;
const dayMs = 86_400_000;

/** How long before the end of the certificate the daily warning in the log begins, ms. */
export const certificateWarningMs = 14 * dayMs;

export class Certificate {
  readonly #files: CertificateFiles;
  readonly #log: Logger;
  readonly #now: () => Date;
  readonly #servers: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #contents: Contents;
  #certificate: X509Certificate;
  /** The files at the last comparison. New files are used when the next comparison finds the same, as they are not replaced at once. */
  #lastState = "";
  #refused = "";
  #isLooking = false;
  #warnedAt = Number.NEGATIVE_INFINITY;

  static async open(files: CertificateFiles, log: Logger, options: CertificateOptions = {}): Promise<Certificate> {
    return new Certificate(files, await contentsOf(files), log, options);
  }

  private constructor(files: CertificateFiles, contents: Contents, log: Logger, options: CertificateOptions) {
    const { now = () => new Date(), everyMs = defaultEveryMs } = options;
    this.#files = files;
    this.#log = log;
    this.#now = now;
    this.#contents = contents;
    this.#certificate = checked(files, contents, now());
    this.#warn();
    this.#timer = setInterval(() => void this.#look(), everyMs);
    this.#timer.unref();
  }

  /** Sets the certificate of a server, now and after each renewal; `options` are the server's other TLS options. */
  serve(server: SecureServer, options: SecureContextOptions = {}): void {
    const give = () => server.setSecureContext({ ...this.#contents, ...options });
    this.#servers.push(give);
    give();
  }

  isFor(address: string): boolean {
    return this.#certificate.checkIP(address) !== undefined;
  }

  /** A name, or else an address, that the certificate is for, so that a client can verify it. */
  get name(): string {
    const { subjectAltName = "", subject } = this.#certificate;
    const names = [...subjectAltName.matchAll(/DNS:([^\s,"]+)/g)].map(([, name]) => name as string);
    const name = names.find((each) => !each.startsWith("*")) ?? names[0]?.replace("*", "zonesmith");
    return name ?? /IP Address:([^\s,]+)/.exec(subjectAltName)?.[1] ?? /^CN=([\w.-]+)$/m.exec(subject)?.[1] ?? "";
  }

  get issuer(): string {
    return this.#certificate.issuer.split("\n").join(", ");
  }

  get endsAt(): Date {
    return this.#certificate.validToDate;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Compares the files with the certificate in use, and replaces it when they are new and valid. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#warn();
    const contents = await contentsOf(this.#files).catch((error: Error) => error);
    this.#isLooking = false;
    const state = contents instanceof Error ? contents.message : JSON.stringify(contents);
    const isSettled = state === this.#lastState;
    this.#lastState = state;
    if (state === JSON.stringify(this.#contents)) this.#refused = "";
    else if (isSettled && state !== this.#refused) this.#take(contents, state);
  }

  /** Puts the contents of the files into use; otherwise logs why not. */
  #take(contents: Contents | Error, state: string): void {
    try {
      if (contents instanceof Error) throw contents;
      this.#certificate = checked(this.#files, contents, this.#now());
      this.#contents = contents;
    } catch (error) {
      this.#refused = state;
      this.#log.error(
        { reason: (error as Error).message },
        "a new TLS certificate is not taken; the last one stays in use",
      );
      return;
    }
    for (const give of this.#servers) give();
    this.#refused = "";
    this.#warnedAt = Number.NEGATIVE_INFINITY;
    const { path: file } = this.#files.cert;
    this.#log.info({ file, validTo: this.#certificate.validToDate }, "a new TLS certificate is in use");
    this.#warn();
  }

  /** Logs a warning once a day when the certificate ends soon. */
  #warn(): void {
    const now = this.#now().getTime();
    const { validToDate: validTo } = this.#certificate;
    if (validTo.getTime() - now > certificateWarningMs || now - this.#warnedAt < dayMs) return;
    this.#warnedAt = now;
    const { path: file } = this.#files.cert;
    this.#log.warn(
      { file, validTo },
      validTo.getTime() > now ? "the TLS certificate ends soon" : "the TLS certificate has ended",
    );
  }
}

async function contentsOf({ cert, key, ca }: CertificateFiles): Promise<Contents> {
  const [certText, keyText, caText] = await Promise.all([textOf(cert), textOf(key), ca && textOf(ca)]);
  return { cert: certText, key: keyText, ...(caText !== undefined && { ca: caText }) };
}

async function textOf({ setting, path }: NamedFile): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${setting}: ${path} cannot be read (${code}); write the path of a PEM file that the service may read.`,
    );
  }
}

/** Reads a certificate that can be used at `now`; throws a sentence that names the setting of the wrong file. */
export async function readCertificate(files: CertificateFiles, now: Date): Promise<X509Certificate> {
  return checked(files, await contentsOf(files), now);
}

/** Returns the certificate when the files fit together and it is valid at `now`; throws a sentence otherwise. */
function checked({ cert, key, ca }: CertificateFiles, contents: Contents, now: Date): X509Certificate {
  const certificate = parsed(cert, "a certificate", () => new X509Certificate(contents.cert));
  const privateKey = parsed(key, "a key without a passphrase", () => createPrivateKey(contents.key));
  const { ca: authority } = contents;
  if (ca && authority !== undefined) parsed(ca, "a certificate", () => new X509Certificate(authority));
  const { validFromDate: from, validToDate: to } = certificate;
  if (!certificate.checkPrivateKey(privateKey))
    throw new Error(
      `${key.setting}: the key in ${key.path} is not that of the first certificate in ${cert.path} (${cert.setting}).`,
    );
  if (now > to)
    throw new Error(`${cert.setting}: the certificate in ${cert.path} ended at ${to.toISOString()}; renew it.`);
  if (now < from) throw new Error(`${cert.setting}: the certificate in ${cert.path} begins at ${from.toISOString()}.`);
  parsed(cert, "what TLS can use", () => createSecureContext(contents));
  return certificate;
}

function parsed<Result>({ setting, path }: NamedFile, what: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${setting}: ${path} does not hold ${what} as PEM (${(error as Error).message}).`);
  }
}
