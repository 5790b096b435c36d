import { bind } from "../../setup/servers/name-servers.ts";
import { steps } from "./steps.ts";

steps(bind, { large: 20_000 });
