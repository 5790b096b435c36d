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
scalars: error-codes errors time
node-interface: scalars
make-folder:
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
account: lists trace outbox sql session node-interface scalars dns dns/rdata dns/message errors
zone: account lists session sql dns/rdata dns node-interface scalars errors
zone/quota: zone account session sql errors
audit: lists zone sql session node-interface scalars dns error-codes errors
zone/edit: audit zone/quota zone account session sql turns dns/rdata dns errors error-codes trace
zone/lifecycle: zone/edit zone/quota zone account outbox session sql dns/rdata dns errors
zone/history: zone/master-file zone/lifecycle zone/edit zone lists session sql dns/rdata dns errors
zone/master-file: zone/lifecycle zone/edit zone/quota zone session sql turns dns/master-file dns/rdata dns errors
zone/dynamic-update: zone/edit zone account outbox lists session sql dns/message dns/rdata dns node-interface scalars
    errors error-codes
template: lists zone/edit zone account sql session node-interface scalars dns dns/fields dns/rdata errors
    zone/lifecycle
secondary: lists zone/edit zone account instance sql session turns node-interface scalars dns dns/rdata errors
    zone/lifecycle net
webhook: lists outbox secondary zone account sql session node-interface scalars version dns errors
changeset: zone account outbox lists session sql turns node-interface scalars errors
changeset/check: changeset zone/history zone/lifecycle zone/edit zone/quota zone account session sql turns dns/rdata
    dns errors
changeset/stage: changeset/check changeset template zone/master-file zone/history zone/lifecycle zone/edit zone
    account session sql dns/rdata errors
changeset/review: changeset/check changeset account session sql errors
changeset/apply: changeset/review changeset/check changeset zone/history zone/lifecycle zone/edit audit zone account
    session sql turns errors trace
changeset/bulk: changeset/stage changeset/check changeset template zone/history zone/edit zone account lists session
    sql turns dns/rdata dns/fields dns errors
publisher/packets: secondary dns/message dns/rdata dns/fields dns
publisher: database secondary zone session turns trace dns publisher/packets
instance: sql session version
nameserver/zone: zone sql dns/message dns database trace
nameserver: database zone/dynamic-update zone account session dns dns/rdata dns/message trace error-codes errors
    nameserver/zone net
graphql: account audit secondary zone zone/dynamic-update lists errors session scalars error-codes turns
graphql/schema/shared: graphql account changeset error-codes errors scalars zone dns session zone/edit
graphql/schema/zone: graphql graphql/schema/shared changeset/bulk changeset scalars zone zone/history account
    secondary template zone/lifecycle zone/edit zone/master-file
graphql/schema/record: graphql/schema/shared graphql graphql/schema/zone dns/rdata errors session zone/edit dns/fields
    dns scalars zone
graphql/schema/change: graphql graphql/schema/shared graphql/schema/zone account audit error-codes scalars zone
    changeset/bulk changeset zone/edit zone/history dns errors zone/master-file session
graphql/schema/changeset: graphql graphql/schema/shared graphql/schema/record graphql/schema/change
    graphql/schema/zone account changeset/apply changeset changeset/check changeset/review changeset/stage scalars
    session zone zone/edit changeset/bulk error-codes errors lists zone/history secondary
graphql/schema/template: graphql graphql/schema/changeset graphql/schema/record graphql/schema/shared
    graphql/schema/zone changeset/bulk changeset changeset/check changeset/stage scalars account session template zone
    zone/edit
graphql/schema/secondary: graphql graphql/schema/shared graphql/schema/zone scalars secondary zone account session
graphql/schema/account: graphql graphql/schema/shared account scalars errors zone zone/dynamic-update session
    zone/quota secondary zone/lifecycle
graphql/schema/webhook: graphql graphql/schema/shared outbox scalars webhook account
graphql/schema: graphql graphql/schema/account graphql/schema/change graphql/schema/changeset graphql/schema/record
    graphql/schema/secondary graphql/schema/shared graphql/schema/template graphql/schema/webhook graphql/schema/zone
    error-codes account audit changeset errors node-interface scalars secondary session sql template webhook zone
    zone/dynamic-update lists instance version
graphql/plan: graphql graphql/schema/record database lists session sql zone secondary account dns errors
rest: turns error-codes errors time
http: turns trace errors config net
postgres: make-folder
migrations:
backup: database
service/database: backup migrations postgres graphql/plan instance changeset webhook secondary template
    zone/dynamic-update audit zone account outbox sql version config database
service: metrics trace backup make-folder version config errors database http graphql graphql/plan graphql/schema rest
    nameserver secondary audit instance webhook zone zone/history zone/master-file changeset account session sql
    scalars changeset/apply service/database publisher zone/quota net
doctor: audit config database dns/message instance postgres secondary service session sql account webhook zone version
    service/database publisher/packets net
cli/terminal: time
cli/service: cli/terminal net error-codes
cli/rows: cli/service cli/terminal
cli/changes: cli/rows cli/service cli/terminal dns error-codes
main: config service
cli: config doctor main service backup version cli/changes cli/rows cli/service cli/terminal net
`);
