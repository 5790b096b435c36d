/**
 * The properties that `npm test` tries on some generated histories, change sets and requests, on more of them. `PROPERTY_SEED=$RANDOM` takes others.
 */
process.env.PROPERTY_TIMES ??= "3";

const files = [
  "zone/history/any-history",
  "zone/quota/metering",
  "zone/two-truths",
  "changeset/any-set",
  "changeset/edit-records",
  "changeset/revert-changes",
  "changeset/review",
  "http/generated",
];
for (const file of files) await import(`../service/${file}.test.ts`);

export {};
