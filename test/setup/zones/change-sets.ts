/** Change sets without their interfaces: a database for a test file, and each step of a set as one call. */
import { pino } from "pino";
import { createApiKey } from "../../../src/account/api-key.ts";
import { applyChangeSet } from "../../../src/changeset/apply/apply.ts";
import { applyZones } from "../../../src/changeset/apply/apply-in-turns.ts";
import { scheduleChangeSet } from "../../../src/changeset/apply/schedule.ts";
import { type ChangeSetRow, changeSetById } from "../../../src/changeset/change-set.ts";
import { previewChangeSet } from "../../../src/changeset/check/preview.ts";
import { eventsOfSet, zonesOfSet } from "../../../src/changeset/contents.ts";
import { reviewChangeSet } from "../../../src/changeset/review/review.ts";
import type { ZonePart } from "../../../src/changeset/stage/read-part.ts";
import { createChangeSet, type NewChangeSet } from "../../../src/changeset/stage/stage.ts";
import { ChangeSetMode, type OnMissed, Verdict } from "../../../src/changeset/states.ts";
import { type Actor, system } from "../../../src/session/authorization.ts";
import { opened } from "../basics/opened.ts";
import { actorOf, fieldsOf, TestZones } from "./session.ts";

export const quiet = pino({ level: "silent" });

/** A part of a set that adds records, each as `owner type rdata`. */
export const adding = (zone: string, ...lines: string[]) => ({ edit: { zone, add: lines.map(fieldsOf) } });

/** A part that adds records to what is staged for a zone. */
export const appending = (zone: string, ...lines: string[]): ZonePart => ({
  edit: { ...adding(zone, ...lines).edit, append: true },
});

/** Another address beside that of `zonesWithWeb`. */
export const addingWeb = (zone: string): ZonePart => adding(zone, "web A 192.0.2.2");

/** The result of a set whose zones were all changed. */
export const allApplied = (zones: number): string[] => ["APPLIED", ...Array<string>(zones).fill("APPLIED")];

type Set = Pick<ChangeSetRow, "id">;

class ChangeSets extends TestZones {
  /** A key that an administrator made for a user of these zones, or that another key made. */
  async keyOf(userId = this.userId, maker?: Actor): Promise<Actor> {
    const { apiKey } = await createApiKey(this.session(maker), { name: "k", userId });
    return { ...actorOf(userId), keyId: apiKey.id, name: `key ${apiKey.id}` };
  }

  /** The session of the process that does what is due. */
  leader() {
    return { ...this.session(), source: "system" as const };
  }

  stage(zones: readonly ZonePart[], more: Partial<NewChangeSet> = {}, by: Actor = system): Promise<ChangeSetRow> {
    return createChangeSet(this.session(by), { title: "a plan", ...more, zones });
  }

  /** Zones with an address, in the order in which sets have them. */
  async zonesWithWeb(count: number): Promise<string[]> {
    return (await Promise.all(Array.from({ length: count }, () => this.zone("web A 192.0.2.1")))).toSorted();
  }

  /** A new set that changes each zone for itself. */
  stageEach(author: Actor, zones: readonly ZonePart[]): Promise<ChangeSetRow> {
    return this.stage(zones, { mode: ChangeSetMode.EACH_ZONE }, author);
  }

  /** The state of a set, and the outcomes of its zones with the codes of their reasons. */
  async resultOf(set: Set): Promise<string[]> {
    return [(await this.current(set)).state, ...(await this.outcomes(set)).map((each) => each.replace(/^\S+ /, ""))];
  }

  current({ id }: Set): Promise<ChangeSetRow> {
    return changeSetById(this.session(), id);
  }

  async preview(set: Set, by: Actor = system) {
    return previewChangeSet(this.session(by), await this.current(set));
  }

  /** Applies a set as it would be now; one of mode EACH_ZONE is begun. */
  async apply(set: Set, by: Actor = system): Promise<ChangeSetRow> {
    const { fingerprint } = await this.preview(set, by);
    return applyChangeSet(this.session(by), set.id, fingerprint, { waitMs: 0 });
  }

  /** Changes zones of sets that were begun, as the leader does. */
  applyZones(): Promise<boolean> {
    return applyZones(this.leader(), quiet);
  }

  /** Says something of a set as it would be now. */
  async review(set: Set, by: Actor, verdict: Verdict = Verdict.APPROVE): Promise<ChangeSetRow> {
    const { fingerprint } = await this.preview(set);
    return reviewChangeSet(this.session(by), set.id, { verdict, expectedFingerprint: fingerprint });
  }

  /** A time of the database's clock, which is not that of the sessions. */
  async timeIn(seconds: number): Promise<Date> {
    const statement = "select clock_timestamp() + make_interval(secs => $1) as at";
    const [row] = await this.sql<{ at: Date }>(statement, [seconds]);
    return row?.at as Date;
  }

  /** Schedules a set as it would be now. */
  async schedule(set: Set, by: Actor, more: { seconds?: number; onMissed?: OnMissed } = {}): Promise<ChangeSetRow> {
    const { seconds = 3600, ...terms } = more;
    const { fingerprint: expectedFingerprint } = await this.preview(set);
    const applyAt = await this.timeIn(seconds);
    return scheduleChangeSet(this.session(by), set.id, { applyAt, expectedFingerprint, ...terms });
  }

  /** The zones of a set, each with what became of it and the codes of why not. */
  async outcomes({ id }: Set): Promise<string[]> {
    const { rows } = await zonesOfSet(this.session(), id, undefined, { first: 1000 });
    return rows.map(({ zone, outcome, reasons }) => {
      const codes = (reasons ?? []).map(({ code }) => code);
      return [zone, outcome, ...codes].filter((each) => each !== null).join(" ");
    });
  }

  /** What happened to a set, from its creation. */
  async events({ id }: Set): Promise<string[]> {
    return (await eventsOfSet(this.session(), id, {})).rows.map(({ kind }) => kind);
  }
}

export const testChangeSets = () => opened(new ChangeSets());
