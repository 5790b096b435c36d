/**
 * The first code of the page: puts the console into it.
 */
import { StrictMode, use } from "react";
import { createRoot } from "react-dom/client";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import "./theme.css";

const versionQuery = graphql(`
  query Version {
    service {
      version
    }
  }
`);

const version = run(versionQuery, {}).then(
  ({ service }) => service?.version,
  (error: Error) => error.message,
);

function Console() {
  return (
    <main>
      <h1>Zonesmith</h1>
      <p>{use(version)}</p>
    </main>
  );
}

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
