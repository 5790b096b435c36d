/** The pages that were visited last with a key, kept in this browser until it signs out. */
import { keepStored, readStored } from "../parts/control/stored.ts";

export interface Visited {
  readonly path: string;
  readonly title: string;
}

const most = 6;

const nameOf = (fingerprint = "none") => `zonesmith.visited.${fingerprint}`;

export function visitedPages(fingerprint: string | undefined): readonly Visited[] {
  const kept = readStored(nameOf(fingerprint));
  return Array.isArray(kept) ? kept.filter((each) => typeof each?.path === "string" && each.title) : [];
}

/** Remembers a page by its path: a zone with any of its tabs, a change, a server, or something of Settings. */
export function visit(fingerprint: string | undefined, path: string, title: string): void {
  const [page] = /^\/(?:zones|changes|servers|settings\/\w+)\/[^/]+/.exec(path) ?? [];
  if (page === undefined) return;
  const others = visitedPages(fingerprint).filter((each) => each.path !== page);
  keepStored(nameOf(fingerprint), [{ path: page, title }, ...others].slice(0, most));
}

export const forgetVisited = (fingerprint: string | undefined) => keepStored(nameOf(fingerprint), undefined);
