import { knot } from "../setup/name-servers.ts";
import { steps } from "./steps.ts";

steps(knot, { large: 50_000 });
