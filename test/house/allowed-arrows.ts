import { arrowsOf } from "./imports.ts";

/**
 * Which room may import which. A room is a folder; `dns` means the files that stand in `dns` itself, and `dns/rdata` is a room of its
 * own. A file beside the rooms, such as `errors.ts`, is one too.
 */
export const allowed = arrowsOf(`
trace:
metrics:
database: trace
error-codes:
errors: database error-codes
config: session database
time:
graphql/scalars: time errors error-codes
make-folder:
whole-file:
net:
version:
dns:
dns/fields: dns
dns/rdata: dns dns/fields
dns/message: dns
dns/master-file: dns dns/fields dns/rdata
turns: errors
sql: database trace
session: sql database dns error-codes errors
lists: database turns sql session errors
outbox: sql session
account: lists trace outbox sql session dns dns/rdata dns/message errors graphql/scalars
zone: account lists session sql dns/rdata dns errors graphql/scalars
zone/quota: zone account session sql errors
audit: lists zone sql session dns error-codes errors graphql/scalars
zone/edit: audit zone/quota zone account session sql turns dns/rdata dns errors error-codes trace
zone/lifecycle: zone/edit zone/quota zone account outbox session sql dns/rdata dns errors
zone/history: zone/master-file zone/lifecycle zone/edit zone lists session sql dns/rdata dns errors
zone/master-file: zone/lifecycle zone/edit zone/quota zone session sql turns dns/master-file dns/rdata dns errors
zone/dynamic-update: zone/edit zone account outbox lists session sql dns/message dns/rdata dns errors error-codes
    graphql/scalars
template: lists zone/edit zone account sql session dns dns/fields dns/rdata errors zone/lifecycle graphql/scalars
secondary: lists zone/edit zone account instance sql session turns dns dns/rdata errors zone/lifecycle net
    graphql/scalars
webhook: lists outbox secondary zone account sql session version dns errors graphql/scalars
changeset: zone account outbox lists session sql turns errors graphql/scalars
changeset/check: changeset zone/history zone/lifecycle zone/edit zone/quota zone account session sql turns dns/rdata
    dns errors
changeset/stage: changeset/check changeset template zone/master-file zone/history zone/lifecycle zone/edit zone
    account session sql dns/rdata errors
changeset/review: changeset/check changeset account session sql errors
changeset/apply: changeset/review changeset/check changeset zone/history zone/lifecycle zone/edit audit zone account
    session sql turns errors trace
changeset/bulk: changeset/stage changeset/check changeset template zone/history zone/edit zone account lists session
    sql turns dns/rdata dns/fields dns errors
activity: audit changeset zone/dynamic-update zone lists session sql graphql/scalars
search: secondary zone account lists session sql dns dns/fields dns/rdata
finding: webhook publisher/packets dns/message errors zone/master-file zone/edit zone secondary account lists session sql turns dns dns/rdata graphql/scalars
attention: changeset/review changeset secondary zone/dynamic-update account session graphql/scalars
publisher/packets: secondary dns/message dns/rdata dns/fields dns
publisher: database secondary zone session turns trace dns publisher/packets
instance: sql session version
nameserver/zone: zone sql dns/message dns database trace
nameserver: database zone/dynamic-update zone account session dns dns/fields dns/rdata dns/message trace error-codes
    errors nameserver/zone net
graphql: account audit secondary zone zone/dynamic-update lists errors session error-codes turns graphql/scalars
graphql/schema/shared: graphql account changeset error-codes errors zone dns session zone/edit graphql/scalars
graphql/schema/zone: graphql graphql/schema/shared finding changeset/bulk changeset zone zone/history account secondary
    template zone/lifecycle zone/edit zone/master-file graphql/scalars
graphql/schema/record: finding graphql/schema/shared graphql graphql/schema/zone dns/rdata errors session zone/edit dns/fields
    dns zone zone/history graphql/scalars
graphql/schema/change: finding graphql graphql/schema/shared graphql/schema/zone account audit error-codes zone changeset/bulk
    changeset zone/edit zone/history dns errors zone/master-file session graphql/scalars
graphql/schema/changeset: finding graphql graphql/schema/shared graphql/schema/record graphql/schema/change
    graphql/schema/zone account changeset/apply changeset changeset/check changeset/review changeset/stage session
    zone zone/edit changeset/bulk error-codes errors lists zone/history secondary graphql/scalars
graphql/schema/template: graphql graphql/schema/changeset graphql/schema/record graphql/schema/shared
    graphql/schema/zone changeset/bulk changeset changeset/check changeset/stage account session template zone
    zone/edit graphql/scalars
graphql/schema/secondary: graphql graphql/schema/shared graphql/schema/zone secondary zone account session
    graphql/scalars
graphql/schema/account: graphql graphql/schema/shared account errors zone zone/dynamic-update session zone/quota
    secondary zone/lifecycle graphql/scalars
graphql/schema/webhook: graphql graphql/schema/shared outbox webhook account graphql/scalars
graphql/schema: graphql graphql/schema/account graphql/schema/change graphql/schema/changeset graphql/schema/record
    graphql/schema/secondary graphql/schema/shared graphql/schema/template graphql/schema/webhook graphql/schema/zone
    error-codes account activity attention audit search changeset errors secondary session sql template webhook zone zone/dynamic-update lists
    instance version graphql/scalars
graphql/plan: graphql graphql/schema/record database lists session sql zone zone/history changeset secondary account dns errors
rest: turns error-codes errors time
http: turns trace errors config net
postgres: make-folder
migrations:
backup: database
service/database: finding backup migrations postgres graphql/plan instance changeset webhook secondary template
    zone/dynamic-update audit zone account outbox sql version config database
service: finding metrics trace backup make-folder whole-file version config errors database http graphql graphql/plan graphql/schema rest
    nameserver secondary audit instance webhook zone zone/history zone/master-file zone/dynamic-update changeset account session
    sql
    changeset/apply service/database publisher zone/quota net graphql/scalars
doctor: audit config database dns/message instance postgres secondary service session sql account webhook zone version
    service/database publisher/packets net
cli/terminal: time
cli/service: cli/terminal net error-codes
cli/command-rows: cli/service cli/terminal
cli/changes: cli/service cli/terminal dns error-codes cli/command-rows
main: config service
cluster: config main service service/database metrics
cli: cluster config doctor main service backup version cli/changes cli/service cli/terminal net cli/command-rows
    publisher/packets dns dns/fields dns/message dns/rdata make-folder whole-file
`);
