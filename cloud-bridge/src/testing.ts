/** What tests outside this package use of it. Production code does not import it. */
export * from './testing/accounts.ts';
export * from './testing/acme.ts';
export * from './testing/apis.ts';
export * from './testing/backups.ts';
export * from './testing/in-process-bridge.ts';
export * from './testing/rows.ts';
export * from './testing/sites.ts';
export * from './testing/tasks.ts';
// What the bridge declares: tests compare it with the documentation, with the database, and with what the bridge does.
export { findNewPasswordProblem } from './accounts/password-policy.ts';
export { hasPermission, roleAllows } from './accounts/role-permissions.ts';
export type { JsonSchema } from './documentation/openapi/json-schema-type-and-references.ts';
export { createRequestBodySchema } from './documentation/openapi/request-and-response-schemas.ts';
export type { OpenApiDocument } from './documentation/openapi-document.ts';
export { tablesDeletedWithOrganization } from './organization-deletion/deleted-tables.ts';
export { tablesExcludedFromTransfer, transferredTables } from './organization-transfer/transferred-tables.ts';
// What a test gives to a bridge, or lets it throw.
export type { NewOAuthApplication } from './accounts/insert-oauth-application.ts';
export type { DeviceActionRequest, DeviceActionResult } from './actions/device-action-executor-interface.ts';
export { createBridgeLogger } from './commands/create-bridge-logger.ts';
export { DatabaseUnavailableError } from './storage/database-error.ts';
export { openCertificateAuthority } from './tls/certificate-authority.ts';
export { createReleaseDownloadToken } from './updates/download-token.ts';
// The database file, and partitions for events of other times.
export { createEventPartitions, dropExpiredEventPartitions } from './retention/event-partitions.ts';
export { computeStartOfUtcMonth } from './storage/event-month-boundaries-and-table-names.ts';
export { buildSqliteFilePath } from './storage/open-storage.ts';
// Parts that a test drives by themselves, on both databases or with programs of other projects.
export { issueScriptTokens } from './accounts/issue-cli-oauth-tokens.ts';
export { createSharedAttemptThrottle } from './accounts/shared-attempt-throttle.ts';
export type { AuthenticatedDevice } from './devices/identity/device-authentication.ts';
export { EmbeddedBroker } from './devices/transport/embedded-broker.ts';
export { ExternalBrokerClient } from './devices/transport/external-broker-client.ts';
export { ReceivedEventNumbers } from './devices/uplink/received-event-numbers.ts';
export { RateLimiter } from './http/rate-limit.ts';
export { RequestCountExchange } from './http/request-count-exchange-between-bridges.ts';
export { loadFleetStatistics } from './metrics/fleet-statistics.ts';
export { eventMatchesFilters } from './queries/event-matches-filters.ts';
export { StreamQuota } from './streaming/stream-quota.ts';
// The writer of an organization, and writes for it.
export { createSite } from './resources/sites.ts';
export { createTag } from './resources/tags.ts';
export { systemActor } from './transactions/actor.ts';
export type { WriteContext } from './transactions/organization-writer.ts';
export { insertRow } from './transactions/row-operations.ts';
