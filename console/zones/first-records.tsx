/**
 * What a zone that is created begins with, and what of the settings of the service makes it useless.
 */
import { useQuery } from "@tanstack/react-query";
import { serviceSettingsOptions } from "../api/service-settings.ts";
import { SettingWarnings } from "../parts/setting-warnings.tsx";
import css from "./first-records.module.css";

interface FirstRecordsProps {
  /** Name of the template that it is made from; undefined where none is chosen. */
  readonly template: string | undefined;
}

export function FirstRecords({ template }: FirstRecordsProps) {
  const { data: service } = useQuery(serviceSettingsOptions);
  if (!service) return null;
  const used = template ?? service.defaultTemplate;
  const servers = service.nameServers.map((name, at) => (
    <span key={name}>
      {at > 0 && (at === service.nameServers.length - 1 ? " and " : ", ")}
      <code>{name.replace(/\.$/, "")}</code>
    </span>
  ));
  return (
    <>
      <p className={css.first}>
        {used ? (
          <>
            It begins with the records of {used}, and where those have no SOA or NS, with a SOA and NS of {servers}.
          </>
        ) : (
          <>
            It begins with a SOA, NS of {servers}, and <code>www</code>.
          </>
        )}
      </p>
      <SettingWarnings warnings={service.warnings} />
    </>
  );
}
