/**
 * The lines that make a name server follow, for its software. They hold the secret of its key, so that they are read when they are asked for.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { SecondaryServer } from "../api/generated/graphql.ts";
import { run } from "../api/run.ts";
import { Field, TextInput } from "../parts/control/field.tsx";
import { useDebounced } from "../parts/control/use-debounced.ts";
import look from "../parts/look.module.css";
import { CopiedLines } from "../parts/page/lines.tsx";
import { Segments } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { listedWords } from "../parts/text/listed-words.ts";
import type { ListedSecondary } from "./queries.ts";
import css from "./servers.module.css";

const configurationQuery = graphql(`
  query Configuration($id: ID!, $server: SecondaryServer!, $primaries: [String!]) {
    secondaryConfig(by: { id: $id }, server: $server, primaries: $primaries)
  }
`);

const servers: readonly { readonly value: SecondaryServer; readonly label: string }[] = [
  { value: "KNOT", label: "Knot" },
  { value: "BIND", label: "BIND" },
  { value: "NSD", label: "NSD" },
  { value: "POWERDNS", label: "PowerDNS" },
];

const route = getRouteApi("/shell/servers/$server");

interface ConfigurationProps {
  readonly secondary: ListedSecondary;
  readonly dnsPort: number | undefined;
}

export function Configuration({ secondary: { id }, dnsPort }: ConfigurationProps) {
  const { software: server = "KNOT" } = route.useSearch();
  const navigate = route.useNavigate();
  const [primary, setPrimary] = useState("");
  // None are those that the instances listen on.
  const primaries = listedWords(useDebounced(primary));
  const { data, error } = useQuery({
    queryKey: ["configuration", id, server, primaries],
    queryFn: async ({ signal }) => (await run(configurationQuery, { id, server, primaries }, signal)).secondaryConfig,
    // It holds the secret of a key, which is not to stay in memory.
    gcTime: 0,
    retry: false,
  });
  return (
    <section className={look.stack}>
      <h2>Configuration</h2>
      <div className={look.line}>
        <Segments
          label="Software of the server"
          value={server}
          onChange={(software) => void navigate({ search: { software }, replace: true, resetScroll: false })}
          options={servers}
        />
        <div className={`${look.end} ${css.primary}`}>
          <Field
            label="This service, as the server reaches it"
            hint="With several instances, write all their addresses, separated by spaces."
          >
            <TextInput
              placeholder={`address${dnsPort === undefined ? "" : `:${dnsPort}`}`}
              value={primary}
              onChange={setPrimary}
            />
          </Field>
        </div>
      </div>
      {error && <Refusal error={error} />}
      {data && !error && <CopiedLines label="Configuration" text={data} what="the configuration" />}
    </section>
  );
}
