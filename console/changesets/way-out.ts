/**
 * What the service says of a change set, without what is for those who have no buttons.
 */
const wayOut = / Call resolveConflicts, or write zonesmith changeset resolve \S+ \S+ --mine \(or --theirs\)\./g;

/** Leaves out how conflicts are resolved elsewhere: the page of the set has buttons for it. */
export const withoutWayOut = (sentence: string) => sentence.replace(wayOut, "");
