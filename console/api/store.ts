/**
 * A value outside of React; its listeners are called when another is set. `follow` begins to set it when somebody listens, and returns what
 * ends that.
 */
export function storeOf<Value>(first: Value, follow?: (set: (next: Value) => void) => () => void) {
  let value = first;
  let end: (() => void) | undefined;
  const listeners = new Set<() => void>();
  const set = (next: Value): void => {
    value = next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => value,
    set,
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) end = follow?.(set);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) end?.();
      };
    },
  };
}
