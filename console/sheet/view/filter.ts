/** Which rows a sheet shows: part of the owner or the data, a type, only staged or only refused rows. */
import { searchText } from "../../parts/names.ts";
import type { RowValues } from "../records/row.ts";

export type Show = "all" | "staged" | "wrong";

export interface Filter {
  /** Part of the owner or the data, in Unicode or A-labels; letter case does not matter. Several words must all be there. */
  readonly text: string;
  /** A type's mnemonic, or empty for all. */
  readonly type: string;
  readonly show: Show;
}

export const noFilter: Filter = { text: "", type: "", show: "all" };

/** What a row shows, for a filter. */
type Shown = Pick<RowValues, "owner" | "type" | "rdata">;

/** Returns what tests a row against the text and the type. */
export function matcher({ text, type }: Filter): (row: Shown) => boolean {
  const words = text.toLowerCase().normalize("NFC").split(/\s+/).filter(Boolean);
  const hasText = ({ owner, rdata }: Shown) => {
    if (words.length === 0) return true;
    const [name, data] = [searchText(owner), searchText(rdata)];
    return words.every((word) => name.includes(word) || data.includes(word));
  };
  return (row) => (type === "" || row.type === type) && hasText(row);
}
