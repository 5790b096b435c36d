/**
 * Each secondary, asked as the publisher asks it: whether it answers over UDP and TCP, takes the TSIG key, has the time, takes NOTIFY, follows
 * the catalog, and serves the zones as they are committed.
 * Limitation: packets go out from this machine; a secondary that knows the service by another address may refuse them.
 */
import { notify } from "../publisher/packets/notify.ts";
import { type ProbeResult, probeSoa } from "../publisher/packets/soa-probe.ts";
import { sourceOf, UdpSockets } from "../publisher/packets/udp-client.ts";
import type { SecondaryEndpoint } from "../secondary/endpoint.ts";
import { domainsBehindAt, servedOf } from "../secondary/publication.ts";
import { findSecondary, zonesAt } from "../secondary/registry.ts";
import type { Session } from "../session/session.ts";
import type { Stock } from "./database-contents.ts";
import { type Finding, failure, note, ok, warning } from "./finding.ts";

/** What the checks of secondaries need. */
export interface SecondaryView {
  readonly session: Session;
  readonly stock: Stock;
  /** Whether keys are sealed with a SECRET_KEY that is not known here. */
  readonly isSealed: boolean;
  readonly now: () => Date;
}

const timeoutMs = 2000;
/** How often a packet is sent before it counts as lost. */
const attempts = 2;
/** The difference of clocks from which on it is said, seconds; TSIG fails at 300. */
const clockSlack = 60;

/** What a secondary answered to the questions. */
interface Answers {
  readonly udp: ProbeResult;
  readonly tcp: ProbeResult;
}

/** Checks all secondaries at the same time; the findings of each are together, in the order of the list. */
export async function checkSecondaries(view: SecondaryView): Promise<Finding[]> {
  const sockets = new UdpSockets(sourceOf(view.session.policy.primary.address));
  try {
    const findings = await Promise.all(view.stock.secondaries.map((each) => checkSecondary(each, view, sockets)));
    return findings.flat();
  } finally {
    sockets.close();
  }
}

async function checkSecondary(
  secondary: SecondaryEndpoint,
  view: SecondaryView,
  sockets: UdpSockets,
): Promise<Finding[]> {
  const check = (what: string) => `${secondary.name}: ${what}`;
  const { key, keyError } = secondary;
  if (view.isSealed && keyError?.includes("SECRET_KEY"))
    return [
      note(
        check("TSIG"),
        "Its key is sealed with the SECRET_KEY of the service, which this shell has not; it was not asked.",
        "repeat this with SECRET_KEY as the service has it",
      ),
      ...(await lag(secondary, view, check)),
    ];
  const { sample, catalog } = view.stock;
  const catalogZone = view.session.policy.catalogZone;
  const peer = { ...secondary, keyError: undefined };
  const ask = (zone: string, overTcp: boolean) =>
    repeated(
      () => probeSoa(sockets, peer, { zone, overTcp }, timeoutMs),
      ({ kind }) => kind === "silent",
    );
  const isAskedForCatalog = key !== undefined && catalog !== undefined;
  const [udp, tcp] = await Promise.all([
    ask(sample?.zone ?? catalogZone, false),
    ask(isAskedForCatalog ? catalog.zone : (sample?.zone ?? catalogZone), true),
  ]);
  const answers = { udp, tcp };
  const served =
    tcp.kind === "serial" && isAskedForCatalog ? catalog.zone : udp.kind === "serial" ? sample?.zone : undefined;
  return [
    ...reachability(secondary, answers, check),
    ...signature(secondary, answers, keyError, check),
    ...clock(answers, view, check),
    ...(udp.kind === "silent"
      ? []
      : await notification(secondary, served ?? sample?.zone ?? catalogZone, served !== undefined, sockets, check)),
    ...following(secondary, tcp, isAskedForCatalog, check),
    ...(await lag(secondary, view, check)),
  ];
}

/** Repeats what had no answer. */
async function repeated<Result>(run: () => Promise<Result>, isLost: (result: Result) => boolean): Promise<Result> {
  for (let left = attempts; ; left -= 1) {
    const result = await run();
    if (left === 1 || !isLost(result)) return result;
  }
}

type NameCheck = (what: string) => string;

function reachability({ name, address, port }: SecondaryEndpoint, answers: Answers, check: NameCheck): Finding[] {
  const results = Object.entries(answers) as readonly ["udp" | "tcp", ProbeResult][];
  const silent = results.filter(([, { kind }]) => kind === "silent");
  if (silent.length === 0) return [ok(check("reachable"), `${address} port ${port} answers over UDP and TCP`)];
  return silent.map(([protocol, { message }]) =>
    failure(
      check(protocol.toUpperCase()),
      `${address} port ${port}: ${message}.`,
      `start its name server, let ${protocol.toUpperCase()} to port ${port} pass the firewalls, or: zonesmith secondary change ${word(name)} --address ADDRESS --port PORT`,
    ),
  );
}

function signature(
  { name, address, port, key }: SecondaryEndpoint,
  { udp, tcp }: Answers,
  keyError: string | undefined,
  check: NameCheck,
): Finding[] {
  const config = `zonesmith secondary config ${word(name)} --server knot`;
  const again = `zonesmith secondary remove ${word(name)}; zonesmith secondary add ${word(name)} ${address} ${port}`;
  const newKey = `${again}, which gives it a key; then ${config}`;
  if (keyError !== undefined) return [failure(check("TSIG"), `${sentence(keyError)}.`, newKey)];
  if (!key)
    return [
      warning(
        check("TSIG"),
        "It signs nothing, so that nothing but its address says who transfers a zone, and it does not get the catalog.",
        newKey,
      ),
    ];
  const refused = [tcp, udp].find((each) => each.kind === "failed" && each.tsigError !== undefined);
  if (refused) {
    const isTime = refused.message.includes("BADTIME");
    const fix = isTime
      ? "synchronize both clocks: timedatectl set-ntp true"
      : `put its key into its configuration: ${config}`;
    return [failure(check("TSIG"), `${sentence(refused.message)}.`, fix)];
  }
  if ([tcp, udp].some(({ kind }) => kind === "serial"))
    return [ok(check("TSIG"), `accepts and signs with ${key.name}`)];
  return [];
}

/** The clock of a secondary is in what it signs. */
function clock({ udp, tcp }: Answers, { now }: SecondaryView, check: NameCheck): Finding[] {
  const signedAt = [tcp, udp].map((each) => (each.kind === "serial" ? each.signedAt : undefined)).find(Boolean);
  if (signedAt === undefined) return [];
  const seconds = Math.round(signedAt - now().getTime() / 1000);
  if (Math.abs(seconds) <= clockSlack) return [];
  return [
    warning(
      check("clock"),
      `It is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} this machine; TSIG fails at 300 s.`,
      "synchronize both clocks: timedatectl set-ntp true",
    ),
  ];
}

async function notification(
  secondary: SecondaryEndpoint,
  zone: string,
  isServed: boolean,
  sockets: UdpSockets,
  check: NameCheck,
): Promise<Finding[]> {
  const { name, indirect } = { name: word(secondary.name), indirect: secondary.isIndirect };
  if (!secondary.notify)
    return indirect
      ? []
      : [
          note(
            check("NOTIFY"),
            "It is sent none, so it sees a change at its next refresh.",
            `zonesmith secondary change ${name} --notify`,
          ),
        ];
  const { outcome, message } = await repeated(
    () => notify(sockets, { ...secondary, keyError: undefined }, zone, timeoutMs),
    (result) => result.outcome === "silent",
  );
  if (outcome === "acknowledged") return [ok(check("NOTIFY"), "answered")];
  if (outcome === "unknown" && !isServed) return [];
  const fix = `let it take NOTIFY from this address with its key: zonesmith secondary config ${name} --server knot`;
  return [warning(check("NOTIFY"), `For ${zone}: ${message}; it sees changes at its next refresh only.`, fix)];
}

function following(
  { name, key, isIndirect }: SecondaryEndpoint,
  tcp: ProbeResult,
  isAsked: boolean,
  check: NameCheck,
): Finding[] {
  if (isIndirect || !key || !isAsked || tcp.kind === "silent" || (tcp.kind === "failed" && tcp.tsigError)) return [];
  if (tcp.kind === "serial") return [ok(check("catalog"), `followed, at serial ${tcp.message}`)];
  return [
    warning(
      check("catalog"),
      `It does not serve the catalog (${tcp.message}), so new zones do not reach it by themselves.`,
      `zonesmith secondary config ${word(name)} --server knot, bind or powerdns; NSD has no catalogs, and needs a new stanza for new zones`,
    ),
  ];
}

/** Zones that are looked at for their lag. */
const shownZones = 100;

async function lag(
  { id, name }: SecondaryEndpoint,
  { session, stock }: SecondaryView,
  check: NameCheck,
): Promise<Finding[]> {
  if (stock.zones === 0) return [];
  const { joinedAt, createdAt } = await findSecondary(session, { id });
  if (!joinedAt) return [await joining({ id, name, createdAt }, session, check)];
  const { rows, hasNextPage } = await domainsBehindAt(session, id, { first: shownZones, order: "ZONE" });
  const served = await servedOf(
    session,
    "domain",
    rows.map((each) => each.id),
  );
  const late = rows.flatMap(({ zone }, at) =>
    (served[at] ?? [])
      .filter((each) => each.secondaryId === id && each.state === "LATE")
      .map((each) => ({ zone, ...each })),
  );
  const [first] = late;
  const count = `${rows.length}${hasNextPage ? " or more" : ""}`;
  if (!first)
    return [
      ok(check("zones"), rows.length === 0 ? `serves all ${stock.zones}` : `${count} of ${stock.zones} under way`),
    ];
  const serial = first.serial === null ? "not at all" : `at serial ${first.serial}`;
  return [
    warning(
      check("zones"),
      `${count} of ${stock.zones} are behind; ${first.zone} is LATE, served ${serial}${first.lastError ? `: ${first.lastError}` : "."}`,
      `see the log of ${name}; zonesmith domain list --state late`,
    ),
  ];
}

/** Of a secondary that has not had all zones yet. */
async function joining(
  { id, name, createdAt }: { readonly id: number; readonly name: string; readonly createdAt: Date },
  session: Session,
  check: NameCheck,
): Promise<Finding> {
  const [{ served, total } = { served: 0, total: 0 }] = await zonesAt(session, [id]);
  const text = `It is joining: it serves ${served} of ${total} zones, and changes wait for it once it has all.`;
  const isLong = session.now().getTime() - createdAt.getTime() > session.policy.publicationLateSeconds * 1000;
  if (!isLong) return ok(check("zones"), `joining, ${served} of ${total}`);
  return warning(
    check("zones"),
    text,
    `see the log of ${name}; zonesmith secondary config ${word(name)} --server knot, bind, nsd or powerdns`,
  );
}

const sentence = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** A name as a word of a shell. */
const word = (name: string) => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);
