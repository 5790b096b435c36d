/**
 * Checks each secondary with the questions of the publisher: that it answers over UDP and TCP, accepts the TSIG key and NOTIFY, follows the
 * catalog, and serves the committed zones, and that its clock is right.
 * Limitation: packets come from this machine. A secondary that knows the service by another address may refuse them.
 */
import { notify } from "../publisher/packets/notify.ts";
import { type ProbeResult, probeSoa } from "../publisher/packets/soa-probe.ts";
import { sourceOf, UdpSockets } from "../publisher/packets/udp-client.ts";
import type { SecondaryEndpoint } from "../secondary/endpoint.ts";
import { domainsBehindAt, servedOf } from "../secondary/publication.ts";
import { findSecondary, type SecondaryProgress, zonesAt } from "../secondary/registry.ts";
import type { Session } from "../session/session.ts";
import type { Stock } from "./database-contents.ts";
import { type Finding, failure, note, ok, warning } from "./finding.ts";

interface SecondaryView {
  readonly session: Session;
  readonly stock: Stock;
  /** Whether keys are sealed with a SECRET_KEY that is not known here. */
  readonly isSealed: boolean;
  readonly now: () => Date;
}

const timeoutMs = 2000;

/** How often a packet is sent before it counts as lost. */
const attempts = 2;

/** The largest difference of clocks without a warning, seconds; TSIG fails at 300. */
const clockSlack = 60;

/** The answers of a secondary to questions over UDP and TCP. */
interface Answers {
  readonly udp: ProbeResult;
  readonly tcp: ProbeResult;
}

/** Checks all secondaries concurrently; the findings are in the order of the list. */
export async function checkSecondaries(view: SecondaryView): Promise<Finding[]> {
  const sockets = new UdpSockets(sourceOf(view.session.policy.primary.address));
  try {
    const findings = await Promise.all(
      view.stock.secondaries.map((each) => new SecondaryCheck(each, view, sockets).findings()),
    );
    return findings.flat();
  } finally {
    sockets.close();
  }
}

class SecondaryCheck {
  readonly #secondary: SecondaryEndpoint;
  readonly #view: SecondaryView;
  readonly #sockets: UdpSockets;
  /** The name of the secondary, quoted for a shell if necessary. */
  readonly #word: string;

  constructor(secondary: SecondaryEndpoint, view: SecondaryView, sockets: UdpSockets) {
    this.#secondary = secondary;
    this.#view = view;
    this.#sockets = sockets;
    const { name } = secondary;
    this.#word = /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  }

  async findings(): Promise<Finding[]> {
    const findings: Finding[] = [];
    for await (const finding of this.#checks())
      findings.push({ ...finding, check: `${this.#secondary.name}: ${finding.check}` });
    return findings;
  }

  async *#checks(): AsyncGenerator<Finding> {
    const { key, keyError } = this.#secondary;
    if (this.#view.isSealed && keyError?.includes("SECRET_KEY")) {
      yield note(
        "TSIG",
        "Its key is sealed with the SECRET_KEY of the service, which this shell has not; it was not asked.",
        "repeat this with SECRET_KEY as the service has it",
      );
      return yield* this.#lag();
    }
    const { sample, catalogs } = this.#view.stock;
    const zone = sample?.zone ?? this.#view.session.policy.catalogZone;
    const [followed, ...further] = key ? catalogs.map((catalog) => catalog.zone) : [];
    const [udp, tcp] = await Promise.all([this.#ask(zone, false), this.#ask(followed ?? zone, true)]);
    yield* this.#reachability({ udp, tcp });
    yield* this.#signature({ udp, tcp });
    yield* this.#clock({ udp, tcp });
    const ofUdp = udp.kind === "serial" ? sample?.zone : undefined;
    const served = tcp.kind === "serial" && followed !== undefined ? followed : ofUdp;
    if (udp.kind !== "silent") yield* this.#notification(served ?? zone, served !== undefined);
    if (followed !== undefined) yield* this.#following(followed, tcp);
    for (const catalog of further) yield* this.#following(catalog, await this.#ask(catalog, true));
    yield* this.#lag();
  }

  #ask(zone: string, overTcp: boolean): Promise<ProbeResult> {
    const peer = { ...this.#secondary, keyError: undefined };
    return repeated(
      () => probeSoa(this.#sockets, peer, { zone, overTcp }, timeoutMs),
      ({ kind }) => kind === "silent",
    );
  }

  *#reachability(answers: Answers): Generator<Finding> {
    const { address, port } = this.#secondary;
    const silent = Object.entries(answers).filter(([, { kind }]: [string, ProbeResult]) => kind === "silent");
    if (silent.length === 0) yield ok("reachable", `${address} port ${port} answers over UDP and TCP`);
    for (const [name, { message }] of silent) {
      const protocol = name.toUpperCase();
      yield failure(
        protocol,
        `${address} port ${port}: ${message}.`,
        `start its name server, let ${protocol} to port ${port} pass the firewalls, or: zonesmith secondary change ${this.#word} --address ADDRESS --port PORT`,
      );
    }
  }

  *#signature({ udp, tcp }: Answers): Generator<Finding> {
    const { address, port, key, keyError } = this.#secondary;
    const name = this.#word;
    const config = `zonesmith secondary config ${name} --server knot`;
    const again = `zonesmith secondary remove ${name}; zonesmith secondary add ${name} ${address} ${port}`;
    const newKey = `${again}, which gives it a key; then ${config}`;
    if (keyError !== undefined) return yield failure("TSIG", `${sentence(keyError)}.`, newKey);
    const unsigned =
      "It signs nothing, so that nothing but its address says who transfers a zone, and it does not get the catalog.";
    if (!key) return yield warning("TSIG", unsigned, newKey);
    const refused = [tcp, udp].find((each) => each.kind === "failed" && each.tsigError !== undefined);
    if (refused) {
      const fix = refused.message.includes("BADTIME") ? setClocks : `put its key into its configuration: ${config}`;
      yield failure("TSIG", `${sentence(refused.message)}.`, fix);
    } else if ([tcp, udp].some(({ kind }) => kind === "serial")) yield ok("TSIG", `accepts and signs with ${key.name}`);
  }

  /** Compares the clocks by the time in a signature of the secondary. */
  *#clock({ udp, tcp }: Answers): Generator<Finding> {
    const signedAt = [tcp, udp].map((each) => (each.kind === "serial" ? each.signedAt : undefined)).find(Boolean);
    if (signedAt === undefined) return;
    const seconds = Math.round(signedAt - this.#view.now().getTime() / 1000);
    const differs = `It is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} this machine; TSIG fails at 300 s.`;
    if (Math.abs(seconds) > clockSlack) yield warning("clock", differs, setClocks);
  }

  async *#notification(zone: string, isServed: boolean): AsyncGenerator<Finding> {
    const { notify: isNotified, isIndirect } = this.#secondary;
    const fix = `zonesmith secondary change ${this.#word} --notify`;
    if (!isNotified && !isIndirect)
      yield note("NOTIFY", "It is sent none, so it sees a change at its next refresh.", fix);
    if (!isNotified) return;
    const { outcome, message } = await repeated(
      () => notify(this.#sockets, { ...this.#secondary, keyError: undefined }, zone, timeoutMs),
      (result) => result.outcome === "silent",
    );
    if (outcome === "acknowledged") return yield ok("NOTIFY", "answered");
    if (outcome === "unknown" && !isServed) return;
    yield warning(
      "NOTIFY",
      `For ${zone}: ${message}; it sees changes at its next refresh only.`,
      `let it take NOTIFY from this address with its key: zonesmith secondary config ${this.#word} --server knot`,
    );
  }

  /** Checks that the secondary serves a catalog, by its answer to a question about it. */
  *#following(catalog: string, tcp: ProbeResult): Generator<Finding> {
    if (this.#secondary.isIndirect || tcp.kind === "silent" || (tcp.kind === "failed" && tcp.tsigError)) return;
    if (tcp.kind === "serial") return yield ok("catalog", `${catalog} is followed, at serial ${tcp.message}`);
    yield warning(
      "catalog",
      `It does not serve the catalog ${catalog} (${tcp.message}), so new zones do not reach it by themselves.`,
      `zonesmith secondary config ${this.#word} --server knot, bind or powerdns; NSD has no catalogs, and needs a new stanza for new zones`,
    );
  }

  async *#lag(): AsyncGenerator<Finding> {
    const { id, name } = this.#secondary;
    const { session, stock } = this.#view;
    if (stock.zones === 0) return;
    const { joinedAt, createdAt } = await findSecondary(session, { id });
    if (!joinedAt) return yield this.#joining(createdAt, await zonesAt(session, [id]));
    const { rows, hasNextPage } = await domainsBehindAt(session, id, { first: shownZones });
    if (rows.length === 0) return yield ok("zones", `serves all ${stock.zones}`);
    const count = `${rows.length}${hasNextPage ? " or more" : ""} of ${stock.zones}`;
    const ids = rows.map((each) => each.id);
    const served = (await servedOf(session, "domain", ids)).map((all) => all.find((each) => each.secondaryId === id));
    const at = served.findIndex((each) => each?.state === "LATE");
    const { serial = null, lastError } = served[at] ?? {};
    if (at < 0) return yield ok("zones", `${count} under way`);
    const shown = `served ${serial === null ? "not at all" : `at serial ${serial}`}${lastError ? `: ${lastError}` : "."}`;
    const finding = `${count} are behind; ${rows[at]?.zone} is LATE, ${shown}`;
    yield warning("zones", finding, `see the log of ${name}; zonesmith domain list --state late`);
  }

  /** The finding of a secondary that has not had all zones yet. */
  #joining(
    createdAt: Date,
    [{ served, total } = { served: 0, total: 0 }]: readonly Pick<SecondaryProgress, "served" | "total">[],
  ): Finding {
    const { session } = this.#view;
    const isLong = session.now().getTime() - createdAt.getTime() > session.policy.publicationLateSeconds * 1000;
    if (!isLong) return ok("zones", `joining, ${served} of ${total}`);
    return warning(
      "zones",
      `It is joining: it serves ${served} of ${total} zones, and changes wait for it once it has all.`,
      `see the log of ${this.#secondary.name}; zonesmith secondary config ${this.#word} --server knot, bind, nsd or powerdns`,
    );
  }
}

/** The largest number of zones whose lag is read. */
const shownZones = 100;

const setClocks = "synchronize both clocks: timedatectl set-ntp true";

/** Repeats a function while its result is that of a lost packet. */
async function repeated<Result>(run: () => Promise<Result>, isLost: (result: Result) => boolean): Promise<Result> {
  for (let left = attempts; ; left -= 1) {
    const result = await run();
    if (left === 1 || !isLost(result)) return result;
  }
}

const sentence = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
