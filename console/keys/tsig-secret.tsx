/**
 * A new TSIG key: its secret and the configuration of its client, shown this once.
 */
import { useState } from "react";
import type { UpdateClient } from "../api/generated/graphql.ts";
import { messagesOf } from "../parts/announce.tsx";
import { CopiedLines } from "../parts/lines.tsx";
import { Segments } from "../parts/page.tsx";
import { Secret } from "../parts/secret.tsx";
import { type CreatedTsigKey, clientNames } from "./tsig-clients.ts";

interface TsigSecretProps {
  readonly created: CreatedTsigKey;
  /** The client that the key is for; undefined for a name server. */
  readonly client: UpdateClient | undefined;
  /** The clients that need to reach the same. */
  readonly clients: readonly UpdateClient[];
  readonly onClose: () => void;
}

export function TsigSecret({ created, client: first, clients, onClose }: TsigSecretProps) {
  const [client, setClient] = useState(first);
  const { name, algorithm } = created.tsigKey;
  const config = client && created[client];
  const options = clients.map((value) => ({ value, label: clientNames[value] }));
  const configuration = client && config && (
    <>
      <Segments label="Client" value={client} onChange={setClient} options={options} />
      <CopiedLines label="Configuration" text={config} what={`the configuration of ${clientNames[client]}`} />
    </>
  );
  return (
    <Secret title={`The key ${name}`} secret={created.secret} what="the secret" below={configuration} onClose={onClose}>
      The secret of {name}, {algorithm.toLowerCase().replaceAll("_", "-")}, is shown this once. Save it now;{" "}
      {client ? "the configuration of its client is below." : "a name server's key is in its stanza too."}{" "}
      {messagesOf(created.notices).join(" ")}
    </Secret>
  );
}
