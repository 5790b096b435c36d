/**
 * The TSIG keys that the viewer sees: what each may update, and whether it may transfer.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import look from "../parts/look.module.css";
import table from "../parts/page/table.module.css";
import { KeyList } from "./key-list.tsx";
import { NewTsigKey } from "./new-tsig-key.tsx";
import { type ListedTsigKey, tsigKeysOptions } from "./queries.ts";
import { algorithmName } from "./tsig-clients.ts";

const route = getRouteApi("/shell/settings/tsig");

const revokeKey = graphql(`
  mutation RevokeTsigKey($input: RevokeTsigKeyInput!) { revokeTsigKey(input: $input) { tsigKey { id revokedAt } } }
`);

export function TsigKeys() {
  const search = route.useSearch();
  return (
    <KeyList
      kind="TSIG key"
      keys={useInfiniteQuery(tsigKeysOptions)}
      about="They sign dynamic updates, as lego, certbot, external-dns and nsupdate send them, and the transfers of name servers."
      columns={[
        {
          heading: "Name",
          cell: ({ name, algorithm }) => (
            <>
              <code>{name}</code> <span className={`${look.soft} ${look.nowrap}`}>{algorithmName(algorithm)}</span>
            </>
          ),
          className: table.name,
        },
        { heading: "Acts as", cell: ({ user }) => user?.email ?? "no user", isCut: true },
        { heading: "May update", cell: scopeText, className: look.anywhere, label: "updates" },
        { heading: "May transfer", cell: ({ transfer }) => (transfer ? "yes" : "no"), label: "transfers" },
      ]}
      nameOf={({ name }) => name}
      form={(close) => <NewTsigKey scope={search} onClose={close} />}
      list="tsig-keys"
      revoke={({ id }) => run(revokeKey, { input: { tsigKeyId: id } })}
      warning={() => "Dynamic updates and transfers that it signs are refused from now on."}
    />
  );
}

/** What a key may write, as a sentence: which types, at which owners, in which zones. */
function scopeText({ zones, owners, types, user }: ListedTsigKey): string {
  if (!zones && !user) return "nothing";
  const what = types ? types.join(", ") : "all types";
  const where = owners ? ` at ${owners.join(", ")}` : "";
  return `${what}${where} in ${zones ? zones.join(", ") : "all of the user's zones"}`;
}
