import { UnreadableSecret } from "../account/sealed-secret.ts";
import { type TsigSecret, tsigSecret } from "../account/tsig-key.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Secondary } from "./secondary.ts";

const s = table(Secondary, "s");

const endpointColumns = s.columns("id", "name", "address", "port", "notify");
const allColumns = endpointColumns.and(s.columns("tsigKeyId", "allowUnsignedTransfer", "indirect"));

/** How the publisher reaches a secondary. `keyError` says why the key is unusable; undefined when it is usable. */
export interface SecondaryEndpoint extends RowOf<typeof endpointColumns> {
  readonly key: TsigSecret | undefined;
  readonly keyError: string | undefined;
  readonly isIndirect: boolean;
  /** Whether its transfers are recognized as its own, by its key, or by its address where it may transfer unsigned. */
  readonly isIdentifiable: boolean;
}

export async function secondaryEndpoints(session: Session): Promise<SecondaryEndpoint[]> {
  const rows = await sql<EndpointRow>`select ${allColumns} from ${s} order by ${s.id}`.run(session);
  return Promise.all(
    rows.map(async (row) => {
      const { tsigKeyId, allowUnsignedTransfer, indirect, ...endpoint } = row;
      return {
        ...endpoint,
        isIndirect: indirect,
        isIdentifiable:
          (tsigKeyId !== null || allowUnsignedTransfer) &&
          !rows.some((other) => other !== row && mayBeTakenFor(other, row)),
        ...(tsigKeyId === null ? noKey : await usableKey(session, tsigKeyId)),
      };
    }),
  );
}

type EndpointRow = RowOf<typeof allColumns>;

/** Whether their transfers cannot be distinguished: by key, or by address where both may transfer unsigned. */
function mayBeTakenFor(one: EndpointRow, other: EndpointRow): boolean {
  if (one.tsigKeyId !== null && one.tsigKeyId === other.tsigKeyId) return true;
  return one.allowUnsignedTransfer && other.allowUnsignedTransfer && one.address === other.address;
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
    if (!(error instanceof UnreadableSecret)) throw error;
    return { key: undefined, keyError: error.message };
  }
}
