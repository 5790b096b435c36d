/** Hands text that is too long for the sheet over to the import; it is in no address. */

let handed: string | undefined;

export function handOver(text: string | undefined): void {
  handed = text;
}

/** Returns the text once. */
export function takeHandedOver(): string | undefined {
  const text = handed;
  handed = undefined;
  return text;
}
