/**
 * Where the commands find the running service: at ZONESMITH_URL; without it at LISTEN and HTTP_PORT, the service's own
 * settings; without them where the service says that it answers, in service.json of DATA_DIR, of ./data, or of the
 * checkout that the command belongs to; otherwise at http://127.0.0.1:4000.
 */
import { reachableAddress, urlHost } from "../../net/listening-address.ts";
import type { Endpoint } from "./client.ts";
import { announcedService } from "./installation.ts";

const defaultUrl = "http://127.0.0.1:4000";

/** Reads the endpoint from the environment; throws a sentence when the key is missing or the URL is not valid. */
export function readEndpoint(environment: NodeJS.ProcessEnv): Endpoint {
  const [url, from] = findUrl(environment);
  const { ZONESMITH_API_KEY: key } = environment;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(`${from} is not a URL; write one such as "${defaultUrl}".`);
  if (!key) throw new Error("ZONESMITH_API_KEY is not set; set it to your API key.");
  return { url: url.replace(/\/+$/, ""), key, from };
}

/** The URL, and where it comes from. */
export function findUrl(environment: NodeJS.ProcessEnv): readonly [url: string, from: string] {
  const { ZONESMITH_URL, HTTP_PORT = "", LISTEN = "", TLS_CERT } = environment;
  if (ZONESMITH_URL) return [ZONESMITH_URL, "ZONESMITH_URL"];
  if (Number(HTTP_PORT) > 0 || (LISTEN && HTTP_PORT === ""))
    return [
      `${TLS_CERT ? "https" : "http"}://${urlHost(reachableAddress(LISTEN))}:${Number(HTTP_PORT) || 4000}`,
      "HTTP_PORT and LISTEN",
    ];
  const announced = announcedService(environment);
  return announced ? [String(announced.service.url), announced.file] : [defaultUrl, "the default"];
}
