import { powerdns } from "../../setup/servers/name-servers.ts";
import { steps } from "./steps.ts";

steps(powerdns);
