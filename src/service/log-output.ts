/**
 * Standard output for the log. Lines leave together, at the latest after a tenth of a second: a system call for each would cost a
 * request a tenth of its processor time. What is left is written when the service stops and when the process exits, also after a failure.
 */
import { destination } from "pino";

/** How long a line may wait, ms. */
const delayMs = 100;

/** How much is written at least, unless a line has waited so long, octets. */
const batchBytes = 4096;

/** Opens standard output; `resources` writes what is left. */
export function openLogOutput(resources: AsyncDisposableStack) {
  const output = destination({ dest: 1, sync: true, minLength: batchBytes });
  // flushSync would try for ever where nobody reads any more.
  const write = () => output.flush();
  const timer = setInterval(write, delayMs).unref();
  process.once("exit", write);
  resources.defer(() => {
    clearInterval(timer);
    write();
  });
  return output;
}
