/**
 * `status`: the running service on one screen, once or again and again (`--watch`).
 */
import type { Endpoint } from "./service/client.ts";
import { readState } from "./service/service-state.ts";
import { statusLines } from "./status-screen.ts";
import { type Drawable, drawAgain, type Line, rendered } from "./terminal/screen.ts";

/** How it is shown. */
export interface StatusOptions {
  readonly json: boolean;
  readonly isColoured: boolean;
  /** Seconds between two pictures; undefined: one is printed. */
  readonly watch?: number | undefined;
}

/** Prints the state of the service, once or until it is interrupted; warnings of one that is printed go to standard error. */
export async function showStatus(
  endpoint: Endpoint,
  { json, isColoured, watch }: StatusOptions,
  terminal: Drawable & { readonly isTTY?: boolean } = process.stdout,
): Promise<void> {
  if (watch !== undefined) {
    if (json || terminal.isTTY !== true) throw new Error("--watch draws on a terminal; leave it out here.");
    return drawAgain(terminal, watch, isColoured, watched(endpoint));
  }
  const state = await readState(endpoint);
  if (json) {
    const { secondaries, ...others } = state.operator ?? {};
    const shown = { url: state.url, ...state.service, ...others, secondaries: secondaries?.nodes };
    console.log(JSON.stringify(shown, null, 2));
    return;
  }
  for (const line of statusLines(state)) console.log(rendered(line, isColoured));
  for (const warning of state.service.service.warnings) console.error(`warning: ${warning}`);
}

/** Reads the lines of a picture; while the service does not answer, the last one with the reason above it. */
function watched(endpoint: Endpoint): () => Promise<readonly Line[]> {
  let last: readonly Line[] = [];
  return async () => {
    try {
      const state = await readState(endpoint);
      const warnings = state.service.service.warnings.map(
        (text): Line => ({ text: `warning: ${text}`, style: "warning" }),
      );
      last = [...statusLines(state), ...(warnings.length > 0 ? [{ text: "" }, ...warnings] : [])];
      return last;
    } catch (error) {
      return [{ text: (error as Error).message, style: "bad" }, { text: "" }, ...last];
    }
  };
}
