/** Text that was pasted into the sheet and is too long for it, on its way to the import; it is in no address. */

let handed: string | undefined;

export function handOver(text: string | undefined): void {
  handed = text;
}

/** The text, once. */
export function takeHandedOver(): string | undefined {
  const text = handed;
  handed = undefined;
  return text;
}
