import { powerdns } from "../setup/name-servers.ts";
import { steps } from "./steps.ts";

steps(powerdns);
