/**
 * What is wrong with the settings of the service, each with the line to set, in its own words.
 */
import css from "./setting-warnings.module.css";

export function SettingWarnings({ warnings }: { readonly warnings: readonly string[] }) {
  return warnings.map((warning) => (
    <p key={warning} className={css.warning}>
      {warning}
    </p>
  ));
}
