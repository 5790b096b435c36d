import { nsd } from "../setup/name-servers.ts";
import { steps } from "./steps.ts";

steps(nsd);
