/**
 * Where and how the publisher reaches the secondaries.
 */
import { sql } from "kysely";
import { type TsigSecret, tsigSecret } from "../account/tsig-key.ts";
import { connection, type Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { Secondary } from "./secondary.ts";

const s = table(Secondary, "s");

const endpointColumns = s.columns("id", "name", "address", "port", "notify");

/**
 * Where and how the publisher reaches a secondary. `keyError` says why its key cannot be used; undefined when it can.
 */
export interface SecondaryEndpoint extends RowOf<typeof endpointColumns> {
  readonly key: TsigSecret | undefined;
  readonly keyError: string | undefined;
}

/** Returns all secondaries, each with the key that packets to it are signed with. */
export async function secondaryEndpoints(session: Session): Promise<SecondaryEndpoint[]> {
  const columns = endpointColumns.and(s.columns("tsigKeyId"));
  const query = sql<RowOf<typeof columns>>`select ${columns} from ${s} order by ${s.id}`;
  const { rows } = await query.execute(connection(session));
  return Promise.all(
    rows.map(async ({ tsigKeyId, ...row }) => ({
      ...row,
      ...(tsigKeyId === null ? noKey : await usableKey(session, tsigKeyId)),
    })),
  );
}

const noKey = { key: undefined, keyError: undefined };

async function usableKey(session: Session, id: number): Promise<Pick<SecondaryEndpoint, "key" | "keyError">> {
  try {
    const key = await tsigSecret(session, { id });
    return {
      key,
      keyError: key ? undefined : "its TSIG key was revoked or has expired; give the secondary another key",
    };
  } catch (error) {
    return { key: undefined, keyError: (error as Error).message };
  }
}
