/** The process of the greedy connections, which send queries and never read. */
import { type Greed, GreedyClients } from "../../test/setup/dns/greedy-clients.ts";

/** The answer to "counts": the connections opened and cut off so far. */
export interface GreedyCounts {
  readonly opened: number;
  readonly cut: number;
}

let clients: GreedyClients | undefined;
process.on("message", (message: (Omit<Greed, "question"> & { readonly question: string }) | "counts") => {
  if (message !== "counts")
    clients = new GreedyClients({ ...message, question: Buffer.from(message.question, "base64") });
  else if (clients) process.send?.({ opened: clients.opened, cut: clients.cut } satisfies GreedyCounts);
});
process.on("disconnect", () => process.exit());
