/** The lists of the schema: the connection of each noun and its sort orders. */
import { ApiKey } from "../account/api-key.ts";
import { TsigKey } from "../account/tsig-key.ts";
import { User, type userOrders } from "../account/user.ts";
import { AuditEntry, type auditOrders } from "../audit/audit-entry.ts";
import type { DomainOrderName } from "../secondary/publication.ts";
import { Secondary } from "../secondary/secondary.ts";
import { Change, type changeOrders } from "../zone/change.ts";
import { ChangeRecord } from "../zone/change-record.ts";
import { Domain } from "../zone/domain.ts";
import { UpdateRefusal } from "../zone/dynamic-update/refusal-audit.ts";
import { RecordWithZone, type recordOrders } from "../zone/record.ts";
import { connectionType } from "./connection.ts";
import { enumType } from "./scalars/enum-type.ts";

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

export const UserOrder = enumType<keyof typeof userOrders>("UserOrder", "Sort order of users.", {
  CREATED: "Oldest first.",
  CREATED_DESC: "Newest first.",
  EMAIL: "By e-mail address.",
});

export const DomainOrder = enumType<DomainOrderName>("DomainOrder", "Sort order of domains.", {
  ZONE: "By zone name.",
  ZONE_DESC: "By zone name, descending.",
  CREATED: "Oldest first.",
  CREATED_DESC: "Newest first.",
  EXCEPTION: "LATE, then PENDING, then other zones; by name within each.",
});

export const RecordOrder = enumType<keyof typeof recordOrders>("RecordOrder", "Sort order of records.", {
  NAME: "By zone, owner and type, with the apex and the SOA first.",
  CREATED: "Oldest first.",
  CREATED_DESC: "Newest first.",
});

/** The orders of the journal and of the audit, which are the same. */
export const JournalOrder = enumType<keyof typeof changeOrders & keyof typeof auditOrders>(
  "JournalOrder",
  "Sort order of changes, or of the audit.",
  { CREATED: "Oldest first.", CREATED_DESC: "Newest first." },
);
