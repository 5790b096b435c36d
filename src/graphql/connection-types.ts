/**
 * The lists of the schema: the connection of each noun and its sort orders.
 */
import { registerEnumType } from "type-graphql";
import { ApiKey } from "../account/api-key.ts";
import { TsigKey } from "../account/tsig-key.ts";
import { User, userOrders } from "../account/user.ts";
import { AuditEntry, type auditOrders } from "../audit/audit-entry.ts";
import { Secondary } from "../secondary/secondary.ts";
import { Change, changeOrders } from "../zone/change.ts";
import { ChangeRecord } from "../zone/change-record.ts";
import { Domain, domainOrders } from "../zone/domain.ts";
import { UpdateRefusal } from "../zone/dynamic-update/refusal-audit.ts";
import { RecordWithZone, recordOrders } from "../zone/record.ts";
import { connectionType } from "./connection.ts";

export const UserConnection = connectionType("User", User);
export const DomainConnection = connectionType("Domain", Domain);
export const RecordConnection = connectionType("Record", RecordWithZone);
export const ChangeConnection = connectionType("Change", Change);
export const ChangedRecordConnection = connectionType("ChangedRecord", ChangeRecord);
export const ApiKeyConnection = connectionType("ApiKey", ApiKey);
export const SecondaryConnection = connectionType("Secondary", Secondary);
export const TsigKeyConnection = connectionType("TsigKey", TsigKey);
export const AuditEntryConnection = connectionType("AuditEntry", AuditEntry);
export const UpdateRefusalConnection = connectionType("UpdateRefusal", UpdateRefusal);

/** What the enums of sort orders are for. */
const orderedLists = {
  DomainOrder: "domains",
  JournalOrder: "changes, or of the audit",
  RecordOrder: "records",
  UserOrder: "users",
};

/** Makes the enum of a list's sort orders. */
function orderEnum<Name extends string>(
  name: keyof typeof orderedLists,
  orders: Record<Name, unknown>,
  descriptions: Record<Name, string>,
): { [Each in Name]: Each } {
  const values = Object.fromEntries(Object.keys(orders).map((order) => [order, order])) as { [Each in Name]: Each };
  const valuesConfig = Object.fromEntries(
    Object.entries<string>(descriptions).map(([order, description]) => [order, { description }]),
  );
  const description = `Sort order of ${orderedLists[name]}.`;
  registerEnumType<Record<string, string>>(values, { name, description, valuesConfig });
  return values;
}

export const UserOrder = orderEnum("UserOrder", userOrders, {
  CREATED: "Oldest first.",
  CREATED_DESC: "Newest first.",
  EMAIL: "By e-mail address.",
});

export const DomainOrder = orderEnum("DomainOrder", domainOrders, {
  ZONE: "By zone name.",
  ZONE_DESC: "By zone name, descending.",
  CREATED: "Oldest first.",
  CREATED_DESC: "Newest first.",
});

export const RecordOrder = orderEnum("RecordOrder", recordOrders, {
  NAME: "By zone, owner and type, with the apex and the SOA first.",
  CREATED: "Oldest first.",
  CREATED_DESC: "Newest first.",
});

/** The orders of the journal and of the audit, which are the same. */
export const JournalOrder = orderEnum(
  "JournalOrder",
  changeOrders satisfies Record<keyof typeof auditOrders, unknown>,
  { CREATED: "Oldest first.", CREATED_DESC: "Newest first." },
);
