/**
 * fast-check with the same values in every run, so that a change is refused for what it did. `PROPERTY_SEED` takes other values: a number, such
 * as `$RANDOM`.
 */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

/** How many values a property takes in `npm test`; `PROPERTY_TIMES` as many in soak. */
export const runs = (count: number): number => count * Number(process.env.PROPERTY_TIMES ?? 1);

export default fc;
