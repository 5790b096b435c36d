/**
 * The built pages of the console in `dist`: index.html and assets, with a content security policy for each page. They
 * need no key, since their data comes from the API. Zone names have dots, so every path of the console except assets is
 * its index.html.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Request, RequestHandler, Response } from "express";
import { Refusal } from "../errors.ts";

/** A page: its path, which is also its folder, and its content security policy. */
interface Page {
  readonly path: string;
  readonly policy: string;
  /** Whether the page handles the paths below its own. */
  readonly routes: boolean;
}

/** The policy of every page: it loads and calls this service alone, and is in no frame. */
const ownOnly =
  "default-src 'none'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const pages: readonly Page[] = [
  {
    path: "/console",
    policy: `${ownOnly}; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
    routes: true,
  },
  // Swagger UI makes markup of its own, without trusted types.
  { path: "/reference", policy: `${ownOnly}; style-src 'self'`, routes: false },
  // Its editor, CodeMirror, writes inline styles. Images and connections stay with this service, so that nothing leaves it.
  {
    path: "/graphiql",
    policy: `${ownOnly}; style-src 'self' 'unsafe-inline'; font-src 'self' data:`,
    routes: false,
  },
];

const mediaTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
};

const headersOf = ({ policy }: Page) => ({
  "Content-Security-Policy": policy,
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
});

/** An asset has the hash of its content in its name. */
const assetCaching = "public, max-age=31536000, immutable";

/** Serves the pages that are in a folder; undefined when they were not built. */
export function createPages(folder: string): RequestHandler | undefined {
  const built = pages.filter(({ path }) => existsSync(join(folder, path, "index.html")));
  if (built.length === 0) return undefined;
  return async (request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD") return next();
    if (request.path === "/" && request.accepts(["json", "html"]) === "html") return response.redirect("/console/");
    const page = built.find(({ path }) => request.path === path || request.path.startsWith(`${path}/`));
    if (!page) return next();
    if (request.path === page.path) return response.redirect(`${page.path}/`);
    const file = fileOf(page, request.path.slice(page.path.length + 1));
    if (file === undefined) return next();
    const isKept = file.startsWith("assets/");
    response.set({ ...headersOf(page), "Cache-Control": isKept ? assetCaching : "no-cache" });
    await sendFile(join(folder, page.path, file), request, response);
  };
}

/** The licences of the packages that a page is made of, as the build collects them. */
const licences = "licenses.md";

/** Returns the file for `rest`, the part of the path below the page; undefined when the page has nothing there. */
function fileOf({ routes }: Page, rest: string): string | undefined {
  if (rest === licences) return licences;
  if (rest.startsWith("assets/")) {
    if (/^assets\/[\w-][\w.-]*$/.test(rest)) return rest;
    throw noSuchAsset();
  }
  return rest === "" || routes ? "index.html" : undefined;
}

const noSuchAsset = () => new Refusal("NOT_FOUND", "There is no such file; load the page again, it may be newer now.");

/** Encodings of a file that is compressed beside it, the best first. */
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Sends a file in the best encoding that the client accepts; 304 when the client has it. */
async function sendFile(file: string, request: Request, response: Response): Promise<void> {
  response.vary("Accept-Encoding");
  for (const [encoding, suffix] of encodings) {
    if (request.acceptsEncodings(encoding) === false) continue;
    const bytes = await contentOf(file + suffix);
    if (bytes) return void sendBytes(file, bytes, response.set("Content-Encoding", encoding));
  }
  const bytes = await contentOf(file);
  if (bytes) return void sendBytes(file, bytes, response);
  response.set("Cache-Control", "no-store");
  throw noSuchAsset();
}

function sendBytes(file: string, bytes: Buffer, response: Response): void {
  const tag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  response
    .set({ ETag: `"${tag}"`, "Content-Type": mediaTypes[extname(file)] ?? "application/octet-stream" })
    .send(bytes);
}

async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
