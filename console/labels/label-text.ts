/**
 * Labels of a domain as text: `env=prod`, or `env` where the value is empty.
 */
export interface Label {
  readonly name: string;
  readonly value: string;
}

export const labelText = ({ name, value }: Label) => (value === "" ? name : `${name}=${value}`);

/** Labels as they are written into a field, separated by blanks or commas. */
export const labelsOf = (text: string): Label[] =>
  text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word) => {
      const [name = "", ...value] = word.split("=");
      return { name, value: value.join("=") };
    });
