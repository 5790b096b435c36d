/**
 * PostGraphile 5 on the tables of the bench: its preset Amber, on node:http, without the pages that are for people.
 */
import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const service = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, poolConfig: { max: 10 } })],
  grafserv: { graphqlPath: "/graphql", graphiql: false },
});
const server = createServer();
await service.createServ(grafserv).addTo(server);
server.listen(0, "127.0.0.1", () => process.send?.(server.address().port));
process.on("disconnect", () => process.exit());
