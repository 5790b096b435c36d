/** The schema. type-graphql builds it from the resolvers and the entities; schema.graphql is its text. */
import "reflect-metadata";
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from "graphql";
import { buildSchema, type PubSub } from "type-graphql";
import type { Context } from "../context.ts";
import { ApiKeyResolver } from "./account/api-key.ts";
import { TsigKeyResolver, UpdateClientResolver } from "./account/tsig-key.ts";
import { UpdateRefusalResolver } from "./account/update-refusal.ts";
import { UserResolver } from "./account/user.ts";
import { QuotaResolver, UserQuotaResolver } from "./account/user-quota.ts";
import { ActivityResolver } from "./activity.ts";
import { AttentionResolver } from "./attention.ts";
import { AuditEntryResolver } from "./change/audit-entry.ts";
import { ChangeResolver } from "./change/change.ts";
import { GoingBackResolver } from "./change/going-back.ts";
import { RecordVersionResolver, ZoneHistoryResolver } from "./change/history.ts";
import { DiffLineResolver, ZoneDiffResolver } from "./change/zone-diff.ts";
import { PastRecordResolver, ZoneMomentResolver } from "./change/zone-moment.ts";
import {
  ChangeSetListResolver,
  ChangeSetOfChangeResolver,
  ChangeSetResolver,
  ChangeSetZoneResolver,
  StagedEditResolver,
} from "./changeset/change-set.ts";
import { EditRecordsResolver } from "./changeset/edit-records.ts";
import { ChangeSetPreviewResolver, StagedConflictResolver, ZonePreviewResolver } from "./changeset/preview.ts";
import { ChangeSetProgressResolver, ZoneReasonsResolver } from "./changeset/progress.ts";
import { RevertChangesResolver, RevertConflictResolver } from "./changeset/revert-changes.ts";
import { ChangeSetEventResolver, ChangeSetReviewResolver, ReviewerResolver } from "./changeset/review.ts";
import { ChangeSetScheduleResolver } from "./changeset/schedule.ts";
import { codesOfMutation, commonCodes } from "./mutation-codes.ts";
import { NodeResolver, SubjectResolver } from "./node.ts";
import { RecordResolver } from "./record/record.ts";
import { RecordDataResolver } from "./record/record-data.ts";
import { RecordTypeResolver } from "./record/record-types.ts";
import { schemaDescription } from "./schema-description.ts";
import { SearchResolver } from "./search.ts";
import { DomainEventResolver } from "./secondary/domain-event.ts";
import { OperatorActionsResolver } from "./secondary/operator-actions.ts";
import {
  CatalogResolver,
  ChangePublicationResolver,
  DomainPublicationResolver,
  PublicationResolver,
} from "./secondary/publication.ts";
import { SecondaryResolver } from "./secondary/secondary.ts";
import { SecondaryContactsResolver } from "./secondary/secondary-contacts.ts";
import { ServiceResolver } from "./service.ts";
import { ErrorExtensions, ErrorReasonResolver } from "./shared/error-extensions.ts";
import { NoticeResolver } from "./shared/payloads.ts";
import { readArgument } from "./shared/read-argument.ts";
import { ApplyTemplateResolver } from "./template/apply-template.ts";
import { TemplateOfDomainResolver, TemplateResolver } from "./template/template.ts";
import { ViewerResolver } from "./viewer.ts";
import { WebhookDeliveryResolver, WebhookResolver } from "./webhook/webhook.ts";
import { DeletedDomainResolver } from "./zone/deleted-domain.ts";
import { DomainResolver } from "./zone/domain.ts";
import { DomainFindingsResolver, FindingsResolver } from "./zone/finding.ts";
import { NoteOfRecordResolver, NoteResolver } from "./zone/note.ts";
import { ZoneFileResolver } from "./zone/zone-file.ts";

/** Builds the schema; arguments are checked by class-validator before a resolver sees them. */
export async function createSchema(): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    resolvers: [
      ViewerResolver,
      AttentionResolver,
      ActivityResolver,
      FindingsResolver,
      DomainFindingsResolver,
      SearchResolver,
      NodeResolver,
      SubjectResolver,
      UserResolver,
      UserQuotaResolver,
      QuotaResolver,
      DomainResolver,
      ZoneFileResolver,
      RecordResolver,
      RecordDataResolver,
      TemplateResolver,
      TemplateOfDomainResolver,
      NoteResolver,
      NoticeResolver,
      ErrorReasonResolver,
      NoteOfRecordResolver,
      RecordTypeResolver,
      ChangeResolver,
      ChangeSetResolver,
      ChangeSetZoneResolver,
      StagedEditResolver,
      ChangeSetOfChangeResolver,
      ChangeSetReviewResolver,
      ReviewerResolver,
      ChangeSetEventResolver,
      ChangeSetProgressResolver,
      ZoneReasonsResolver,
      ChangeSetScheduleResolver,
      ChangeSetListResolver,
      ApplyTemplateResolver,
      EditRecordsResolver,
      RevertChangesResolver,
      RevertConflictResolver,
      ChangeSetPreviewResolver,
      StagedConflictResolver,
      ZonePreviewResolver,
      ZoneHistoryResolver,
      DeletedDomainResolver,
      GoingBackResolver,
      ZoneMomentResolver,
      PastRecordResolver,
      RecordVersionResolver,
      ZoneDiffResolver,
      DiffLineResolver,
      ApiKeyResolver,
      SecondaryResolver,
      SecondaryContactsResolver,
      TsigKeyResolver,
      WebhookResolver,
      WebhookDeliveryResolver,
      OperatorActionsResolver,
      CatalogResolver,
      ServiceResolver,
      UpdateClientResolver,
      UpdateRefusalResolver,
      AuditEntryResolver,
      PublicationResolver,
      DomainEventResolver,
      DomainPublicationResolver,
      ChangePublicationResolver,
    ],
    orphanedTypes: [ErrorExtensions],
    validateFn: readArgument,
    pubSub: unusedPubSub,
  });
  finishRoots(schema);
  return schema;
}

/** type-graphql requires a PubSub; ours is unused, since subscriptions read the database. */
const unusedPubSub: PubSub = {
  publish() {},
  subscribe() {
    throw new Error("the PubSub is not used");
  },
};

/**
 * Adds what type-graphql has no option for: descriptions of the root types, the error codes of each mutation, cleared
 * loaders and an audit entry for each mutation, `@oneOf` inputs, and nullable root fields. A root field is null when it
 * is refused: if it were non-null, the answers of its neighbours would be lost, also those of mutations that were
 * committed.
 */
function finishRoots(schema: GraphQLSchema): void {
  schema.description = schemaDescription;
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  if (!query || !mutation) throw new Error("the schema has no query or no mutation");
  for (const type of Object.values(schema.getTypeMap()))
    if (isInputObjectType(type) && type.extensions.oneOf === true) type.isOneOf = true;
  for (const root of [query, mutation])
    for (const field of Object.values(root.getFields())) field.type = getNullableType(field.type);
  query.description =
    "Reads. A user's key sees the user's data, and the change sets that the user reviews; an administrator's key everything. " +
    "A field that is refused is null beside its error.";
  const subscription = schema.getSubscriptionType();
  if (subscription)
    subscription.description =
      "Subscriptions, as server-sent events: POST to /graphql with `Accept: text/event-stream`.";
  mutation.description =
    "Writes. The mutations of one request run one after the other, each in its own transaction: one that is refused is " +
    `null beside its error, and those before and after it are committed. Any mutation may answer ${commonCodes.join(", ")}; ` +
    "its description lists the other codes.";
  for (const field of Object.values(mutation.getFields())) {
    const { name } = field;
    const own = codesOfMutation(name);
    if (own.length > 0) field.description = `${field.description ?? ""} Codes: ${own.join(", ")}.`;
    const { resolve } = field;
    field.resolve = (source, args, context: Context, info) => {
      context.forget();
      return context.mutate(name, args.input, async () => resolve?.(source, args, context, info));
    };
  }
}

/** The text of `schema.graphql`: sorted by name, each description once. */
export function schemaText(schema: GraphQLSchema): string {
  const sorted = lexicographicSortSchema(schema);
  describeOnce(sorted);
  return `${printSchema(sorted)}\n`;
}

/**
 * Removes descriptions that are written elsewhere: of page arguments in the description of the schema, of an
 * interface's fields at the interface, of record data in inputs at its object type.
 */
function describeOnce(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    const isPage = isPageType(type);
    if (isPage) type.description = undefined;
    if (isInputObjectType(type) && /DataInput$/.test(type.name))
      for (const field of Object.values(type.getFields())) field.description = undefined;
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const inherited = type.getInterfaces().flatMap((each) => each.getFields()[field.name] ?? []);
      if (isPage || inherited.some(({ description }) => description === field.description))
        field.description = undefined;
      const isOfPage = isPageType(getNamedType(field.type));
      for (const argument of field.args)
        if (inherited.length > 0 || (isOfPage && pageArguments.has(argument.name))) argument.description = undefined;
    }
  }
}

const isPageType = ({ name }: GraphQLNamedType) => /(Connection|Edge)$/.test(name);

/** The arguments of every list, which the description of the schema explains. */
const pageArguments: ReadonlySet<string> = new Set(["first", "after", "last", "before"]);
