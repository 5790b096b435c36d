/** The record types, read once for the page. */
import { useEffect, useState } from "react";
import { commonTypes, noTypes, type RecordTypeInfo, type RecordTypes, recordTypesQuery } from "./record-types.ts";
import { run } from "./run.ts";
import { wait, waitMs } from "./waits.ts";

let allTypes: RecordTypes | undefined;

async function readTypes(): Promise<RecordTypes> {
  for (let attempt = 0; ; attempt++) {
    try {
      const { recordTypes, ttlPolicy } = await run(recordTypesQuery, {});
      const rank = ({ type }: RecordTypeInfo) => (commonTypes.includes(type) ? commonTypes.indexOf(type) : 100);
      const types = (recordTypes ?? []).filter(({ creatable }) => creatable);
      allTypes = { types: types.toSorted((a, b) => rank(a) - rank(b)), ttls: ttlPolicy ?? noTypes.ttls };
      return allTypes;
    } catch {
      await wait(waitMs(attempt));
    }
  }
}

let reading: Promise<RecordTypes> | undefined;

/** The types, as soon as they are read. */
export function useRecordTypes(): RecordTypes {
  const [types, setTypes] = useState(allTypes ?? noTypes);
  useEffect(() => {
    if (allTypes) return setTypes(allTypes);
    reading ??= readTypes();
    void reading.then(setTypes);
  }, []);
  return types;
}
