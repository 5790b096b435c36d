/** What the browser keeps by a name, as JSON. */

/** What is kept; undefined where it is nothing that can be read. */
export function readStored(name: string, storage: Pick<Storage, "getItem"> = localStorage): unknown {
  try {
    return JSON.parse(storage.getItem(name) ?? "null");
  } catch {
    return undefined;
  }
}

/** Keeps a value, or forgets the one that is kept; where the storage is full or off, it is on the page alone. */
export function keepStored(
  name: string,
  value: object | undefined,
  storage: Pick<Storage, "setItem" | "removeItem"> = localStorage,
): void {
  try {
    if (value) storage.setItem(name, JSON.stringify(value));
    else storage.removeItem(name);
  } catch {
    // As is said above.
  }
}
