import { knot } from "../../setup/servers/name-servers.ts";
import { steps } from "./steps.ts";

steps(knot, { large: 20_000, many: 100 });
