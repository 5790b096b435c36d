/** The sentence of every operation that the audit knows, subject first. */

/** What an operation was about, as far as it is known. */
export interface About {
  /** The name of the object that it was about: an e-mail address, the name of a key or a server, the title of a change. */
  readonly name?: string | undefined;
  readonly zone?: string | undefined;
  readonly user?: string | undefined;
}

/** The object with its name, or one of its kind. */
const the = (kind: string, { name }: About) =>
  name === undefined ? `A ${kind}` : `${kind} ${name}`.replace(/^./, (first) => first.toUpperCase());
const key = (about: About) => the("key", about).replace("A key", "An API key");
const set = ({ name }: About) => (name === undefined ? "A change" : `“${name}”`);
const own = (kind: string, { name }: About) => name ?? `A ${kind}`;
const zone = ({ zone: name }: About) => name ?? "A zone";
const records = ({ zone: name }: About) => `Records${name === undefined ? "" : ` of ${name}`}`;
const forUser = ({ user, name }: About) => (user === undefined || user === name ? "" : ` for ${user}`);

const sentences: Readonly<Record<string, (about: About) => string>> = {
  applyChangeSet: (it) => `${set(it)} was applied`,
  applyTemplate: (it) => `${the("template", it)} was applied to zones`,
  authenticate: () => "A wrong key was used",
  cancelChangeSet: (it) => `${set(it)} was cancelled`,
  changeRecords: (it) => `${records(it)} were changed`,
  checkServers: (it) => `The servers of ${zone(it)} were asked`,
  commentChangeSet: (it) => `${set(it)} got a comment`,
  confirmCatalogRemoval: () => "The removal of zones from the catalog was confirmed",
  confirmRestore: () => "The restored database was confirmed",
  createApiKey: (it) => `${key(it)} was made${forUser(it)}`,
  createChangeSet: (it) => `${set(it)} was begun`,
  createDomain: (it) => `${zone(it)} was created`,
  createRecord: (it) => `${records(it)} were added`,
  createSecondary: (it) => `${own("server", it)} was added`,
  createTemplate: (it) => `${the("template", it)} was made`,
  createTsigKey: (it) => `${the("TSIG key", it)} was made${forUser(it)}`,
  createUser: (it) => `${own("user", it)} was added`,
  createWebhook: (it) => `${the("webhook", it)} was made`,
  deleteDomain: (it) => `${zone(it)} was deleted`,
  deleteRecord: (it) => `${records(it)} were removed`,
  deleteSecondary: (it) => `${own("server", it)} was removed`,
  deleteTemplate: (it) => `${the("template", it)} was deleted`,
  deleteUser: (it) => `${own("user", it)} was deleted`,
  deleteWebhook: (it) => `${the("webhook", it)} was deleted`,
  editRecords: () => "Records of several zones were edited",
  importZone: (it) => `${zone(it)} was imported from a file`,
  resendWebhookMessages: (it) =>
    `Messages of ${the("webhook", it).replace(/^./, (first) => first.toLowerCase())} were sent again`,
  resolveConflicts: (it) => `Conflicts of ${set(it).replace("A change", "a change")} were resolved`,
  restageChangeSet: (it) => `${set(it)} was brought up to date`,
  restoreDomain: (it) => `${zone(it)} was restored`,
  resyncDomain: (it) => `${zone(it)} was announced to its servers again`,
  revertChange: (it) => `A change of ${it.zone ?? "a zone"} was undone`,
  revertChanges: () => "Several changes were undone",
  revertDomain: (it) => `${zone(it)} went back to an earlier state`,
  reviewChangeSet: (it) => `${set(it)} was reviewed`,
  revokeApiKey: (it) => `${key(it)} was revoked`,
  revokeTsigKey: (it) => `${the("TSIG key", it)} was revoked`,
  rotateWebhookSecret: (it) => `${the("webhook", it)} got a new secret`,
  scheduleChangeSet: (it) => `${set(it)} was scheduled`,
  setNote: (it) => `A note of ${it.zone ?? "a zone"} was written`,
  setUserQuota: (it) => `${own("user", it)} got a quota`,
  signIn: () => "Signed in",
  signOut: () => "Signed out",
  stageChanges: (it) => `Edits of ${set(it).replace("A change", "a change")} were written`,
  submitChangeSet: (it) => `${set(it)} was sent for review`,
  system: () => "The service did its own work",
  testWebhook: (it) => `${the("webhook", it)} was tested`,
  transferDomain: (it) => `${zone(it)} was handed over${it.user === undefined ? "" : ` to ${it.user}`}`,
  unscheduleChangeSet: (it) => `${set(it)} was unscheduled`,
  update: (it) => `${records(it)} were updated`,
  updateChangeSet: (it) => `${set(it)} was renamed`,
  updateDomain: (it) => `${zone(it)} got other settings`,
  updateRecord: (it) => `${records(it)} were changed`,
  updateSecondary: (it) => `${own("server", it)} got other settings`,
  updateTemplate: (it) => `${the("template", it)} was changed`,
  updateUser: (it) => `${own("user", it)} was changed`,
  updateWebhook: (it) => `${the("webhook", it)} was changed`,
  withdrawChangeSet: (it) => `${set(it)} was withdrawn from review`,
};

/** The operations that have a sentence. */
export const operationsWithSentence: readonly string[] = Object.keys(sentences);

/** What was done; a path of REST is as it is. */
export const sentenceOf = (operation: string, about: About): string =>
  Object.hasOwn(sentences, operation) ? (sentences[operation]?.(about) ?? operation) : operation;

/** What was tried, where it was refused, such as `Create record`. */
export const attemptOf = (operation: string): string =>
  operation.includes("/")
    ? operation
    : operation
        .replace(/([a-z])([A-Z])/g, (_, before: string, begin: string) => `${before} ${begin.toLowerCase()}`)
        .replace(/(api|tsig) key/, (name) => name.replace(/^\w+/, (word) => word.toUpperCase()))
        .replace(/^./, (first) => first.toUpperCase());
