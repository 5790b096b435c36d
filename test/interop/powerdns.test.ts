import { powerdns } from "./servers.ts";
import { steps } from "./steps.ts";

steps(powerdns);
