/**
 * What a command that shows before it writes is given.
 */
import type { Endpoint } from "./client.ts";

/** Where the service is, and whether differences are in colour. */
export interface Terminal {
  readonly endpoint: () => Endpoint;
  readonly isColoured: boolean;
}
