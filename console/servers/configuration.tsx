/**
 * The lines that make a name server follow, for its software. They hold the secret of its key, so that they are read when they are asked for.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { SecondaryServer } from "../api/generated/graphql.ts";
import { Field } from "../parts/control/field.tsx";
import { useDebounced } from "../parts/control/use-debounced.ts";
import look from "../parts/look.module.css";
import { CopiedLines } from "../parts/page/lines.tsx";
import { Segments } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { configurationOptions, type ListedSecondary } from "./queries.ts";
import css from "./servers.module.css";

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

export function Configuration({ secondary, dnsPort }: ConfigurationProps) {
  const { software: server = "KNOT" } = route.useSearch();
  const navigate = route.useNavigate();
  const setServer = (software: SecondaryServer) =>
    void navigate({ search: { software }, replace: true, resetScroll: false });
  const [primary, setPrimary] = useState("");
  return (
    <section className={look.stack}>
      <h2>Configuration</h2>
      <div className={look.line}>
        <Segments label="Software of the server" value={server} onChange={setServer} options={servers} />
        <div className={`${look.end} ${css.primary}`}>
          <Field
            label="This service, as the server reaches it"
            hint="With several instances, write all their addresses, separated by spaces."
          >
            <input
              placeholder={`address${dnsPort === undefined ? "" : `:${dnsPort}`}`}
              autoComplete="off"
              spellCheck={false}
              value={primary}
              onChange={(event) => setPrimary(event.target.value)}
            />
          </Field>
        </div>
      </div>
      <Lines secondary={secondary} server={server} primary={primary.trim()} />
    </section>
  );
}

interface LinesProps {
  readonly secondary: ListedSecondary;
  readonly server: SecondaryServer;
  readonly primary: string;
}

function Lines({ secondary, server, primary }: LinesProps) {
  const { data, error } = useQuery(configurationOptions(secondary.id, server, useDebounced(primary)));
  if (error) return <Refusal error={error} />;
  if (!data) return null;
  return <CopiedLines label="Configuration" text={data} what="the configuration" />;
}
