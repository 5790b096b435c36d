/** The instances on the database: that they are there, that one leads, and that they are of one version. */
import { type InstanceRow, listInstances } from "../instance/instance.ts";
import type { Session } from "../session/session.ts";
import { version } from "../version.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

const nameOf = ({ host, pid }: InstanceRow) => `${host} (process ${pid})`;

/** Looks at all of them. */
export async function checkInstances(session: Session): Promise<Finding[]> {
  const all = await listInstances(session);
  const alive = all.filter(({ isAlive }) => isAlive);
  if (alive.length === 0)
    return [failure("instances", "No instance of the service runs on this database.", "zonesmith serve")];
  const leader = alive.find(({ isLeader }) => isLeader);
  const others = alive.filter((each) => each.version !== version()).map((each) => `${nameOf(each)}: ${each.version}`);
  const lost = all.filter(({ isAlive }) => !isAlive).map(nameOf);
  return [
    leader
      ? ok("instances", `${alive.length}; ${nameOf(leader)} leads`)
      : warning(
          "instances",
          "None of them leads, so nothing is published.",
          "wait 10 s and repeat; then see their logs",
        ),
    ...(others.length > 0
      ? [
          warning(
            "instances",
            `Another version than this program's, ${version()}: ${others.join("; ")}.`,
            "restart them on one version",
          ),
        ]
      : []),
    ...(lost.length > 0
      ? [
          warning(
            "instances",
            `Ended without saying so in the last hour: ${lost.join(", ")}.`,
            "see its log, or journalctl -u zonesmith",
          ),
        ]
      : []),
  ];
}
