/** The values in the configuration of a secondary of this service; stanza-texts.ts writes the text. */
import { isIP } from "node:net";
import { type TsigSecret, tsigSecret } from "../account/tsig-key.ts";
import { Refusal } from "../errors.ts";
import { listInstances } from "../instance/instance.ts";
import { isLoopback, isWildcard } from "../net/listening-address.ts";
import { mayAdminister } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain } from "../zone/domain.ts";
import { catalogNames } from "./catalog-zone.ts";
import { findSecondary, readAddress, type SecondaryChoice } from "./registry.ts";
import { type ConfigValues, type Primary, publicAuthorities, type ServerKind, stanzaTexts } from "./stanza-texts.ts";

/** The servers whose tested releases transfer over TLS. */
const speakingTls: readonly ServerKind[] = ["BIND", "NSD"];

const maxListedZones = 10_000;

/**
 * The configuration for a secondary, with the secret of its key: only for an administrator who may write. `addresses`, each with a port or
 * without, are those at which the secondary reaches the instances; by default those that the running instances listen on.
 */
export async function secondaryConfig(
  session: Session,
  by: SecondaryChoice,
  server: ServerKind,
  addresses: readonly string[],
): Promise<string> {
  mayAdminister(session.actor);
  const { name, tsigKeyId } = await findSecondary(session, by);
  const values = {
    name,
    ...(await reached(session, server, addresses)),
    catalogs: await catalogNames(session),
    key: tsigKeyId === null ? undefined : encodedKey(await workingKey(session, tsigKeyId)),
    zones: server === "NSD" ? await zonesToList(session) : [],
  };
  return stanzaTexts[server](values);
}

/** How the secondary reaches this service: over TLS where both support it. */
async function reached(
  session: Session,
  server: ServerKind,
  addresses: readonly string[],
): Promise<Pick<ConfigValues, "primaries" | "tls" | "remark">> {
  const { tls, port } = session.policy.primary;
  const isTls = tls !== undefined && speakingTls.includes(server);
  const primaries =
    addresses.length > 0
      ? addresses.map((text) => readPrimary(text.trim(), port, isTls ? tls.port : port))
      : await runningPrimaries(session, isTls);
  if (!tls) return { primaries, tls: undefined, remark: "" };
  if (!isTls) return { primaries, tls: undefined, remark: plainRemark(tls.isRequired) };
  const { name, issuer } = tls.certificate();
  const { needsClientCertificate } = tls;
  return {
    primaries,
    tls: { name, issuer, needsClientCertificate },
    remark: tlsRemark(issuer, needsClientCertificate),
  };
}

/** Throws MISSING_FIELD when an instance has no specific address, or no TLS although `isTls`, or when only some listen on loopback. */
async function runningPrimaries(session: Session, isTls: boolean): Promise<Primary[]> {
  const { address, port, tls } = session.policy.primary;
  const own = { host: undefined, dnsAddress: address, dnsPort: port, dnsTlsPort: tls?.port ?? null };
  const instances = [own, ...(await listInstances(session)).filter(({ isAlive }) => isAlive)];
  const primaries = new Map<string, Primary>();
  for (const { host, dnsAddress, dnsPort, dnsTlsPort } of instances) {
    if (dnsAddress === null || dnsPort === null || isIP(dnsAddress) === 0 || isWildcard(dnsAddress))
      throw unreached(host, dnsAddress);
    const reachedPort = isTls ? dnsTlsPort : dnsPort;
    if (reachedPort === null)
      throw primariesMissing(
        `${nameOf(host)} serves no DNS over TLS; set DNS_TLS_PORT there, or write the addresses of the instances that do.`,
      );
    primaries.set(`${dnsAddress} ${reachedPort}`, { address: dnsAddress, port: reachedPort });
  }
  const local = instances.filter(({ dnsAddress }) => dnsAddress !== null && isLoopback(dnsAddress));
  if (local[0] && local.length < instances.length) throw unreached(local[0].host, local[0].dnsAddress);
  return [...primaries.values()];
}

/** `host` is undefined for the instance that handles the request. */
const nameOf = (host: string | undefined) => (host === undefined ? "the service" : `the instance on ${host}`);

function unreached(host: string | undefined, address: string | null): Refusal {
  const where = address ?? "an address that its version does not say";
  const advice = "write the address at which the secondary reaches it, and that of each other instance.";
  return primariesMissing(`${nameOf(host)} listens on ${where}; ${advice}`);
}

const primariesMissing = (why: string) =>
  new Refusal("MISSING_FIELD", `primaries is missing: ${why}`, { field: "primaries" });

const plainRemark = (isRequired: boolean) =>
  `This server transfers zones without TLS.${isRequired ? " The service refuses that, as DNS_TRANSFER is tls there." : ""}`;

const tlsRemark = (issuer: string, needsClientCertificate: boolean) =>
  [
    `The service's certificate is issued by ${issuer}.`,
    `If that is no public authority, put its certificate into a file here, and name that instead of ${publicAuthorities}.`,
    ...(needsClientCertificate
      ? ["The service wants a certificate of this server, too: name its file and that of its key."]
      : []),
  ].join(" ");

/** Reads `address`, `address:port` or `[IPv6 address]:port`. The port of plain DNS becomes the usual port, which may be that of TLS. */
function readPrimary(text: string, plainPort: number, usualPort: number): Primary {
  const [, bracketed, plain, named = ""] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = named === "" || Number(named) === plainPort ? usualPort : Number(named);
  if (port >= 1 && port <= 65535) return { address: readAddress(bracketed ?? plain ?? text, "primaries"), port };
  throw new Refusal("INVALID_VALUE", "primaries: write a port from 1 to 65535 after the address.", {
    field: "primaries",
  });
}

async function workingKey(session: Session, id: number): Promise<TsigSecret> {
  const key = await tsigSecret(session, { id });
  if (key) return key;
  const message = "secondary: its TSIG key was revoked or has expired; give the secondary another key.";
  throw new Refusal("INVALID_VALUE", message, { field: "by" });
}

const encodedKey = ({ name, algorithm, secret }: TsigSecret) => ({
  name,
  algorithm,
  secret: Buffer.from(secret).toString("base64"),
});

const d = table(Domain, "d");

async function zonesToList(session: Session): Promise<string[]> {
  const query = sql<{ zone: string }>`
    select ${d.zone} from ${d} where ${d.userId} is not null order by ${d.zone} limit ${maxListedZones + 1}`;
  const rows = await query.run(session);
  if (rows.length <= maxListedZones) return rows.map(({ zone }) => zone);
  const message = `There are more than ${maxListedZones} zones to list; use NSD 4.9 or later as a consumer of the catalog, or another server.`;
  throw new Refusal("TOO_LARGE", message, { field: "server" });
}
