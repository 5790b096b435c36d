/** Checks the instances on the database: at least one runs, one leads, and all have the same version. */
import { type InstanceRow, listInstances } from "../instance/instance.ts";
import type { Session } from "../session/session.ts";
import { version } from "../version.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

const nameOf = ({ host, pid }: InstanceRow) => `${host} (process ${pid})`;

export async function* checkInstances(session: Session): AsyncGenerator<Finding> {
  const check = "instances";
  const all = await listInstances(session);
  const alive = all.filter(({ isAlive }) => isAlive);
  if (alive.length === 0)
    return void (yield failure(check, "No instance of the service runs on this database.", "zonesmith serve"));
  const leader = alive.find(({ isLeader }) => isLeader);
  if (leader) yield ok(check, `${alive.length}; ${nameOf(leader)} leads`);
  else
    yield warning(check, "None of them leads, so nothing is published.", "wait 10 s and repeat; then see their logs");
  const others = alive.filter((each) => each.version !== version()).map((each) => `${nameOf(each)}: ${each.version}`);
  const differ = `Another version than this program's, ${version()}: ${others.join("; ")}.`;
  if (others.length > 0) yield warning(check, differ, "restart them on one version");
  const lost = all.filter(({ isAlive }) => !isAlive).map(nameOf);
  const ended = `Ended without saying so in the last hour: ${lost.join(", ")}.`;
  if (lost.length > 0) yield warning(check, ended, "see its log, or journalctl -u zonesmith");
}
