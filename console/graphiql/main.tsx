/**
 * GraphiQL on the service's own schema: whoever is signed in to the console asks with that sign-in, others give a key under Headers.
 */
import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { GraphiQL } from "graphiql";
import { createRoot } from "react-dom/client";
import "graphiql/style.css";
import "./graphiql.css";

const fetcher = createGraphiQLFetcher({ url: "/graphql", headers: { "X-Zonesmith-Console": "1" } });

const example = `# Ctrl+Enter runs it, with the console's sign-in.
# Without one: {"X-API-Key": "…"} under Headers.
query Zones {
  domains(first: 10) {
    nodes {
      zone
      serial
      publication {
        state
      }
    }
  }
}
`;

createRoot(document.getElementById("root") as HTMLElement).render(
  <GraphiQL fetcher={fetcher} defaultQuery={example} />,
);
