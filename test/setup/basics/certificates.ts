/** Certificates for tests of TLS (X.509, RFC 5280), in files of a folder of their own: P-256 keys, signed by an authority of the test's. */
import { createHash, generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { secondsNow } from "./clock.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface IssuedFiles {
  readonly cert: string;
  readonly key: string;
}

/** A value in DER (X.690): its tag, its length, and what it holds. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Uint8Array.of(tag, ...size), body]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
const nameOf = (common: string) => sequence(der(0x31, sequence(objectId("550403"), der(0x0c, Buffer.from(common)))));

/** The time in so many days. */
function timeIn(days: number): Buffer {
  const digits = new Date((secondsNow() + days * 86_400) * 1000).toISOString().replace(/\..*|[-:T]/g, "");
  return der(0x17, Buffer.from(`${digits.slice(2)}Z`));
}

/** An extension that says whether it is that of an authority. */
const basicConstraints = (isAuthority: boolean) =>
  sequence(objectId("551d13"), der(0x04, sequence(...(isAuthority ? [der(0x01, Uint8Array.of(255))] : []))));

/** An extension with names such as `DNS:a.example,IP:192.0.2.1`. */
function alternativeNames(names: string): Buffer {
  const parts = names.split(",").map((name) => {
    const [kind, value = ""] = name.split(":");
    return kind === "IP" ? der(0x87, Uint8Array.from(value.split("."), Number)) : der(0x82, Buffer.from(value));
  });
  return sequence(objectId("551d11"), der(0x04, sequence(...parts)));
}

const newKeys = () => generateKeyPairSync("ec", { namedCurve: "prime256v1" });

export class TestAuthority {
  readonly folder = temporaryFolder();
  /** The file of its own certificate. */
  readonly file = join(this.folder, "authority.pem");
  readonly #keys = newKeys();
  readonly #name = "Test authority";

  constructor() {
    writeFileSync(this.file, this.#sign(this.#name, this.#keys.publicKey, [basicConstraints(true)]));
  }

  /** Signs a certificate for 30 days and for alternative names; it is called as its files are. */
  issue(name: string, names: string): IssuedFiles {
    const { publicKey, privateKey } = newKeys();
    const files = { cert: join(this.folder, `${name}.pem`), key: join(this.folder, `${name}.key`) };
    writeFileSync(files.cert, this.#sign(name, publicKey, [basicConstraints(false), alternativeNames(names)]));
    writeFileSync(files.key, privateKey.export({ type: "pkcs8", format: "pem" }));
    return files;
  }

  #sign(subject: string, key: KeyObject, extensions: readonly Uint8Array[]): string {
    const subjectKey = key.export({ type: "spki", format: "der" });
    const serial = createHash("sha256").update(subjectKey).digest().subarray(0, 8);
    serial[0] = 1;
    const content = sequence(
      der(0xa0, der(0x02, Uint8Array.of(2))),
      der(0x02, serial),
      ecdsaWithSha256,
      nameOf(this.#name),
      sequence(timeIn(-1), timeIn(29)),
      nameOf(subject),
      subjectKey,
      der(0xa3, sequence(...extensions)),
    );
    const signature = sign("sha256", content, this.#keys.privateKey);
    const certificate = sequence(content, ecdsaWithSha256, der(0x03, Uint8Array.of(0), signature));
    return new X509Certificate(certificate).toString();
  }
}
