import { bind } from "../setup/name-servers.ts";
import { steps } from "./steps.ts";

steps(bind, { large: 50_000 });
