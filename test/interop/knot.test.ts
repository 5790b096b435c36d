import { knot } from "./servers.ts";
import { steps } from "./steps.ts";

steps(knot, { large: 50_000 });
