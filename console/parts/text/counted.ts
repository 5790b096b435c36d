/** A number of things as text: "1 record", "1,204 records". */
export const counted = (count: number, what: string) => `${count.toLocaleString()} ${what}${count === 1 ? "" : "s"}`;

/** A number of bytes, such as 41.2 KB. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1000).toFixed(1)} KB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
