/** Hands a file, or text that is too long for the sheet, over to the import; it is in no address. */

let handed: string | File | undefined;

export function handOver(content: string | File | undefined): void {
  handed = content;
}

export function takeHandedOver(): string | File | undefined {
  const content = handed;
  handed = undefined;
  return content;
}
