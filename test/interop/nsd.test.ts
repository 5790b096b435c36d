import { nsd } from "./servers.ts";
import { steps } from "./steps.ts";

steps(nsd);
