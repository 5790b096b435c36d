/**
 * The settings of the service that pages show, and its warnings about them and about zones from before they were set.
 */
import { queryOptions } from "@tanstack/react-query";
import { graphql } from "./generated/gql.ts";
import { run } from "./run.ts";

const serviceSettings = graphql(`
  query ServiceSettings {
    service { version dnsAddress dnsPort catalogZone nameServers defaultTemplate warnings }
  }
`);

export const serviceSettingsOptions = queryOptions({
  queryKey: ["service-settings"],
  queryFn: async ({ signal }) => (await run(serviceSettings, {}, signal)).service,
});
