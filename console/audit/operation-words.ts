/**
 * The names of operations as people read them.
 */

/** Those that are no words for what they stand for. */
const own: Readonly<Record<string, string>> = {
  update: "dynamic update",
  system: "by itself",
  authenticate: "wrong key",
};

/** The name of a mutation as people say it, such as `create record`; a path of REST is as it is. */
export const operationWords = (operation: string) =>
  own[operation] ??
  (operation.includes("/")
    ? operation
    : operation
        .replace(/([a-z])([A-Z])/g, (_, before: string, begin: string) => `${before} ${begin.toLowerCase()}`)
        .replace(/(api|tsig) key/, (key) => key.replace(/^\w+/, (name) => name.toUpperCase())));
