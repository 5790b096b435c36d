import { defineConfig, type ProxyOptions } from "vite";

/** The service, reached through the page's own origin in development and preview: no CORS is needed. */
const service: ProxyOptions = {
  target: process.env.ZONESMITH_URL ?? "http://127.0.0.1:4000",
  // A stream that breaks at the service breaks for the page too, which then opens it again.
  configure: (proxy) =>
    proxy.on("proxyRes", (upstream, _request, page) => upstream.once("error", () => page.destroy())),
};

export default defineConfig({
  server: { proxy: { "/graphql": service } },
  preview: { headers: { "Content-Security-Policy": "default-src 'self'; img-src 'self' data:" } },
});
