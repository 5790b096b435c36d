import { bind } from "../setup/name-servers.ts";
import { steps } from "./steps.ts";

steps(bind, { large: 20_000 });
