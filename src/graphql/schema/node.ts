/** `node(id)`: any object by its id, as Relay and other client caches read one again; and what an entry of the audit is about. */
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from "graphql";
import { Arg, Ctx, FieldResolver, Info, Query, Resolver, Root } from "type-graphql";
import { apiKeyById } from "../../account/api-key.ts";
import { tsigKeyById } from "../../account/tsig-key.ts";
import { userById } from "../../account/user.ts";
import { AuditEntry, type AuditEntryRow, auditEntryById } from "../../audit/audit-entry.ts";
import { changeSetById } from "../../changeset/change-set.ts";
import { Refusal } from "../../errors.ts";
import { findSecondary } from "../../secondary/registry.ts";
import type { Session } from "../../session/session.ts";
import { type NodeType, typesOfId } from "../../sql/typed-ids.ts";
import { templateById } from "../../template/template.ts";
import { webhookById } from "../../webhook/webhook.ts";
import { deliveryById } from "../../webhook/webhook-delivery.ts";
import { changeById } from "../../zone/change.ts";
import { findDomain } from "../../zone/domain.ts";
import { updateRefusalById } from "../../zone/dynamic-update/refusal-audit.ts";
import { recordById } from "../../zone/record.ts";
import type { Context } from "../context.ts";
import { Node, typeOfNode } from "../scalars/node-interface.ts";
import { IdScalar } from "../scalars/scalars.ts";

type Row = { readonly id: number };

/** An object as `Node` is resolved. */
type NodeRow = Row & { readonly [typeOfNode]: NodeType };

/** The reader of each type; it refuses an object that the session does not see. */
const readers: Record<NodeType, (session: Session, id: number) => Promise<Row>> = {
  User: userById,
  Domain: (session, id) => findDomain(session, { id }),
  Record: recordById,
  Change: changeById,
  ApiKey: apiKeyById,
  TsigKey: tsigKeyById,
  Secondary: (session, id) => findSecondary(session, { id }),
  UpdateRefusal: updateRefusalById,
  ChangeSet: changeSetById,
  ZoneTemplate: templateById,
  AuditEntry: auditEntryById,
  Webhook: webhookById,
  WebhookDelivery: deliveryById,
};

@Resolver(() => Node)
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description:
      "The object of this id; NOT_FOUND when there is none. An id from 0.1 may be that of several objects: a fragment, such as `… on Domain`, says which.",
  })
  async node(
    @Arg("id", () => IdScalar, { description: "The object's id." }) id: number,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<NodeRow> {
    const nodes = await nodesOf(session, id);
    const named = nodes.length > 1 ? nodes.filter((node) => namedTypes(info).has(node[typeOfNode])) : nodes;
    const [one] = named;
    if (one && named.length === 1) return one;
    if (nodes.length === 0) throw new Refusal("NOT_FOUND", `There is nothing of the id ${id}.`, { field: "id" });
    const types = nodes.map((node) => node[typeOfNode]).join(", ");
    const message = `id ${id} is that of several objects (${types}), since it is from 0.1; select … on one of these types.`;
    throw new Refusal("INVALID_VALUE", message, { field: "id" });
  }
}

@Resolver(() => AuditEntry)
export class SubjectResolver {
  @FieldResolver(() => Node, {
    nullable: true,
    description: "What `subjectId` names; null without it, when it is gone, and when the key may not see it.",
  })
  async subject(@Root() { subjectId }: AuditEntryRow, @Ctx() context: Context): Promise<NodeRow | null> {
    if (subjectId === null) return null;
    const read = (ids: readonly number[]) => Promise.all(ids.map((id) => nodesOf(context.session, id)));
    const [one, ...others] = await context.load("AuditEntry.subject", null, subjectId, read);
    return one && others.length === 0 ? one : null;
  }
}

/** The objects with an id that the session sees. */
async function nodesOf(session: Session, id: number): Promise<NodeRow[]> {
  const types = await typesOfId(session, id);
  const read = async (type: NodeType) => {
    try {
      return [Object.assign(await readers[type](session, id), { [typeOfNode]: type })];
    } catch (error) {
      if (error instanceof Refusal && ["NOT_FOUND", "FORBIDDEN"].includes(error.code)) return [];
      throw error;
    }
  };
  return (await Promise.all(types.map(read))).flat();
}

/** The types that the fragments of a selection name. */
function namedTypes({ fieldNodes, fragments }: GraphQLResolveInfo): Set<string> {
  const names = new Set<string>();
  const visit = (selections: SelectionSetNode | undefined) => {
    for (const selection of selections?.selections ?? []) {
      if (selection.kind === Kind.FIELD) continue;
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
      const name = fragment?.typeCondition?.name.value;
      if (name !== undefined) names.add(name);
      visit(fragment?.selectionSet);
    }
  };
  for (const { selectionSet } of fieldNodes) visit(selectionSet);
  return names;
}
