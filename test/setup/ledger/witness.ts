/**
 * The secondary of a run: a real Knot, or where none is installed one of our own, which transfers a zone whenever it is notified of it.
 */

import { Rcode } from "../../../src/dns/message/header.ts";
import { eventually } from "../basics/eventually.ts";
import { Responder } from "../dns/responder.ts";
import { serialOf, transfer } from "../dns/transfer.ts";
import { clientKey } from "../dns/update-client.ts";
import { Follower } from "../servers/follower.ts";
import { knot } from "../servers/name-servers.ts";
import type { World } from "./world.ts";

/** A secondary whose zones are read. */
export interface Witness {
  /** A zone as it serves it, in the form of `transfer`; `rcode n` when it does not serve it. */
  read(zone: string): Promise<readonly string[]>;
  remove(): Promise<void>;
}

export function followWith(kind: "knot" | "own", world: World): Promise<Witness> {
  return kind === "knot" ? followWithKnot(world) : followWithOwn(world);
}

async function followWithKnot(world: World): Promise<Witness> {
  const follower = new Follower(world, knot);
  await follower.follow();
  const key = clientKey(follower.key.name, follower.key.secret);
  return {
    read: (zone) => transfer(follower.port, zone, { key }),
    remove: () => follower.remove(),
  };
}

const catalog = "catalog.zonesmith";

const failure = `rcode ${Rcode.SERVFAIL}`;
/** What it answers for a zone that it does not serve. */
const gone = [`rcode ${Rcode.REFUSED}`];

async function followWithOwn(world: World): Promise<Witness> {
  const created = await world.run("createTsigKey", "tsigKey { id name } secret", { name: "own.example" });
  const key = clientKey(created.tsigKey.name, created.secret);
  const responder = await new Responder().open();
  responder.key = { name: key.name, key };
  const copies = new Map<string, readonly string[]>();
  const transferring = new Map<string, Promise<void>>();
  let isRemoved = false;
  const transferZone = async (zone: string) => {
    // A transfer that fails is asked for again, as a real secondary does: the NOTIFY for it was answered.
    const lines = await eventually(async () => {
      const answer = isRemoved ? gone : await transfer(world.dnsPort, zone, { key });
      if (answer[0] === failure) throw new Error(`the transfer of ${zone} failed`);
      return answer;
    });
    if (lines[0]?.startsWith("rcode")) {
      copies.delete(zone);
      responder.serials.delete(zone);
      return;
    }
    copies.set(zone, lines);
    responder.serials.set(zone, serialOf(lines));
    // Members that are gone are found by asking for every zone again.
    if (zone === catalog) for (const each of copies.keys()) if (each !== catalog) follow(each);
  };
  /** Zones that were notified while they were transferred, and are transferred once more. */
  const again = new Set<string>();
  const follow = (zone: string) => {
    if (isRemoved) return;
    if (transferring.has(zone)) return void again.add(zone);
    const done = () => {
      transferring.delete(zone);
      if (again.delete(zone)) follow(zone);
    };
    transferring.set(zone, transferZone(zone).then(done, done));
  };
  responder.onNotify = (zone) => {
    follow(zone);
    return 0;
  };
  const place = { address: responder.address, port: responder.port, tsigKeyId: created.tsigKey.id };
  await world.run("createSecondary", "secondary { id }", { name: "own", ...place });
  return {
    read: async (zone) => copies.get(zone) ?? gone,
    remove: async () => {
      isRemoved = true;
      await Promise.all(transferring.values());
      await responder.close();
    },
  };
}
