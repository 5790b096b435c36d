/** The frame: whose key it is, and the page that the address names: `#/` the zones, `#/example.com` one of them. */
import { useSyncExternalStore } from "react";
import { useQuery } from "urql";
import { graphql } from "./generated";
import { ZoneList } from "./zone-list";
import { ZonePage } from "./zone-page";

const appQuery = graphql(`
  query App {
    viewer { role readOnly key { id name } user { id email } }
  }
`);

function useAddress(): string {
  const subscribe = (changed: () => void) => {
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  };
  return useSyncExternalStore(subscribe, () => decodeURIComponent(location.hash.replace(/^#\/?/, "")));
}

export function App({ onSignOut }: { onSignOut: () => void }) {
  const [{ data }] = useQuery({ query: appQuery });
  const zone = useAddress();
  const viewer = data?.viewer;
  return (
    <>
      <header className="top">
        <a href="#/">Zonesmith</a>
        <span className="who">
          {viewer?.user?.email ?? viewer?.role.toLowerCase()}
          {viewer?.key && <small>{viewer.key.name}</small>}
          {viewer?.readOnly && <small>may only read</small>}
        </span>
        <button type="button" onClick={onSignOut}>
          Sign out
        </button>
      </header>
      <main>
        {zone === "" ? <ZoneList /> : <ZonePage key={zone} zone={zone} mayEdit={viewer?.readOnly === false} />}
      </main>
    </>
  );
}
