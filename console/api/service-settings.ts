/**
 * The settings of the service that pages show, and its warnings about them and about zones from before they were set.
 */
import { graphql } from "./generated/gql.ts";
import { readOptions } from "./queries.ts";

const serviceSettings = graphql(`
  query ServiceSettings { service { version dnsAddress dnsPort catalogZone nameServers defaultTemplate warnings } }
`);

export const serviceSettingsOptions = readOptions(["service-settings"], serviceSettings, {}, ({ service }) => service);
