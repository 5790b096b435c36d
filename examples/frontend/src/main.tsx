/** Entry: asks for an API key, keeps it for the tab, and gives each key a client with a cache of its own. */
import { StrictMode, useEffect, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "urql";
import { App } from "./app";
import { createClient } from "./client";
import { SignIn } from "./sign-in";
import "./style.css";

function Root() {
  const [key, setKey] = useState(sessionStorage.getItem("key") ?? "");
  const client = useMemo(() => createClient(key, () => setKey("")), [key]);
  useEffect(() => sessionStorage.setItem("key", key), [key]);
  if (key === "") return <SignIn onKey={setKey} />;
  return (
    <Provider value={client}>
      <App onSignOut={() => setKey("")} />
    </Provider>
  );
}

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <Root />
  </StrictMode>,
);
