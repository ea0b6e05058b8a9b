import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { isTransientDatabaseError } from './database-error.ts';
import type { DatabaseEngine } from './database-engine-type.ts';
import { createInitialTables } from './migrations/0001-first-tables.ts';
import { createOrganizationProductsTable } from './migrations/0002-organization-products.ts';
import { createTechnicianPagesTable } from './migrations/0003-technician-page-addresses.ts';
import { createUpdateTables } from './migrations/0004-releases-and-rollouts.ts';
import { createUserTables } from './migrations/0005-user-invitations-password-resets-and-passkeys.ts';
import { createKeyChecksTable } from './migrations/0006-key-check.ts';
import { separateTechnicianPassEvents } from './migrations/0007-technician-pass-events.ts';
import { addWebhookRetryColumns } from './migrations/0008-webhook-retries.ts';
import { scopeStockAndHardwareToOrganizations } from './migrations/0009-card-stock-and-hardware-ids.ts';
import { createUplinkCounterTables } from './migrations/0011-uplink-counters.ts';
import { addReceivedEventsColumn } from './migrations/0012-received-event-numbers.ts';
import { createRestoredBridgeTables } from './migrations/0013-sent-revocations-lost-events-and-incidents.ts';
import { createAdministrationTables } from './migrations/0014-member-search-and-activity-counts.ts';
import { createVirtualGadgetsTable } from './migrations/0015-virtual-gadgets.ts';
import { addEventDetailsColumn } from './migrations/0016-event-details.ts';
import { addAwaitsReportedRevocationsColumn } from './migrations/0017-awaited-revocations.ts';
import { createAlertAndScriptTokenTables } from './migrations/0020-alerts-and-script-tokens.ts';
import { createSharedFileTables } from './migrations/0024-cluster-key-and-release-files.ts';
import { createSharedLimitTables } from './migrations/0025-cluster-login-attempts-and-request-counts.ts';
import { createAuditLogIndex } from './migrations/0028-audit-log-index.ts';
import { addSearchOrderColumn } from './migrations/0029-member-search-newest-first.ts';
import { createRetentionTables } from './migrations/0030-retention-and-task-leases.ts';
import { partitionEventsTable } from './migrations/0031-event-partitions.ts';
import { addAlertLanguageAndSearchOrderColumns } from './migrations/0033-alert-language-and-member-search-by-name.ts';
import { createScheduleExceptionAndHealthTables } from './migrations/0034-schedule-exceptions-and-device-health.ts';
import { createRareEventIndexes } from './migrations/0035-rare-event-indexes.ts';
import { createScriptTokenUserIndex } from './migrations/0040-script-tokens-by-user.ts';
import { endUnusedRefreshTokens } from './migrations/0041-refresh-token-expiry.ts';
import { addSessionAuthenticationTime } from './migrations/0042-session-authentication-time.ts';
import { addDerivedCredentialsAndDeviceGroups } from './migrations/0050-derived-credentials-and-device-groups.ts';
import { addReportingDevices } from './migrations/0051-reporting-devices.ts';
import { addControllerConfirmation } from './migrations/0061-controller-confirmation.ts';
import { addStolenControllers } from './migrations/0062-stolen-controllers.ts';
import { addQuotas } from './migrations/0070-quotas.ts';
import { addAlertAddresses } from './migrations/0071-alert-addresses.ts';
import { addClockReadings } from './migrations/0080-clock-readings.ts';
import { addSiteDeletions } from './migrations/0083-site-deletions.ts';
import { addAccessWithdrawals } from './migrations/0085-access-withdrawals.ts';
import { addDeskLimits } from './migrations/0086-desk-limits.ts';
import { addOfflineTimesAndChanges } from './migrations/0087-offline-times-and-changes.ts';
import { createAccountEventsIndex } from './migrations/0088-events-of-accounts.ts';
import { addGuestPageSettings } from './migrations/0089-guest-page.ts';
import { addAlertMessageQueueIndex } from './migrations/0099-alert-message-queue.ts';
import { addReplacedControllers } from './migrations/0102-replaced-controllers.ts';
import type { MigrationContext } from './migrations/table-builder.ts';

interface Migration {
  readonly name: string;
  readonly up: (context: MigrationContext) => Promise<void>;
}

/** Released migrations never change. Append new ones. */
const migrations: readonly Migration[] = [
  { name: '0001-first-tables', up: createInitialTables },
  { name: '0002-organization-products', up: createOrganizationProductsTable },
  { name: '0003-technician-pages', up: createTechnicianPagesTable },
  { name: '0004-updates', up: createUpdateTables },
  { name: '0005-users', up: createUserTables },
  { name: '0006-key-check', up: createKeyChecksTable },
  { name: '0007-api', up: separateTechnicianPassEvents },
  { name: '0008-webhook-retries', up: addWebhookRetryColumns },
  { name: '0009-stock-and-hardware', up: scopeStockAndHardwareToOrganizations },
  { name: '0011-uplink-counters', up: createUplinkCounterTables },
  { name: '0012-received-events', up: addReceivedEventsColumn },
  { name: '0013-recovery', up: createRestoredBridgeTables },
  { name: '0014-administration', up: createAdministrationTables },
  { name: '0015-virtual-gadgets', up: createVirtualGadgetsTable },
  { name: '0016-event-details', up: addEventDetailsColumn },
  { name: '0017-awaited-revocations', up: addAwaitsReportedRevocationsColumn },
  { name: '0020-alerts-and-script-tokens', up: createAlertAndScriptTokenTables },
  { name: '0024-shared-files', up: createSharedFileTables },
  { name: '0025-shared-limits', up: createSharedLimitTables },
  { name: '0028-audit-log', up: createAuditLogIndex },
  { name: '0029-search-order', up: addSearchOrderColumn },
  { name: '0030-retention', up: createRetentionTables },
  { name: '0031-event-partitions', up: partitionEventsTable },
  { name: '0033-alert-language-and-search-order', up: addAlertLanguageAndSearchOrderColumns },
  { name: '0034-schedule-exceptions-and-device-health', up: createScheduleExceptionAndHealthTables },
  { name: '0035-rare-event-indexes', up: createRareEventIndexes },
  { name: '0040-script-tokens-by-user', up: createScriptTokenUserIndex },
  { name: '0041-refresh-token-expiry', up: endUnusedRefreshTokens },
  { name: '0042-session-authentication-time', up: addSessionAuthenticationTime },
  { name: '0050-derived-credentials-and-device-groups', up: addDerivedCredentialsAndDeviceGroups },
  { name: '0051-reporting-devices', up: addReportingDevices },
  { name: '0061-controller-confirmation', up: addControllerConfirmation },
  { name: '0062-stolen-controllers', up: addStolenControllers },
  { name: '0070-quotas', up: addQuotas },
  { name: '0071-alert-addresses', up: addAlertAddresses },
  { name: '0080-clock-readings', up: addClockReadings },
  { name: '0083-site-deletions', up: addSiteDeletions },
  { name: '0085-access-withdrawals', up: addAccessWithdrawals },
  { name: '0086-desk-limits', up: addDeskLimits },
  { name: '0087-offline-times-and-changes', up: addOfflineTimesAndChanges },
  { name: '0088-events-of-accounts', up: createAccountEventsIndex },
  { name: '0089-guest-page', up: addGuestPageSettings },
  { name: '0099-alert-message-queue', up: addAlertMessageQueueIndex },
  { name: '0102-replaced-controllers', up: addReplacedControllers },
];

export const migrationNames: readonly string[] = migrations.map(({ name }) => name);

/** Arbitrary id of the advisory lock that serializes migrations of bridges that start together. */
const MIGRATION_LOCK = 7_164_201;
const LOCK_TIMEOUT_MS = 2000;
const MIGRATION_ATTEMPTS = 60;
const MIGRATION_RETRY_MS = 500;

/** The names of the migrations that the database has. */
export const readAppliedMigrations = async (db: Kysely<unknown>): Promise<Set<string>> => {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db);
  return new Set(rows.map(row => row.name));
};

/** The database has migrations that this version does not know. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

const rejectNewerDatabase = (applied: ReadonlySet<string>): void => {
  const newer = [...applied].filter(name => !migrationNames.includes(name));
  if (newer.length > 0)
    throw new NewerDatabaseError(
      `The database was created by a newer version (${newer.join(', ')}). Update this program`,
    );
};

/** The migrations that are missing; null for a database without tables. Throws a NewerDatabaseError. */
export const listPendingMigrations = async (db: Kysely<unknown>): Promise<readonly string[] | null> => {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === 'schema_migrations')) return null;
  const applied = await readAppliedMigrations(db);
  rejectNewerDatabase(applied);
  return migrationNames.filter(name => !applied.has(name));
};

const applyMigrations = (db: Kysely<unknown>, engine: DatabaseEngine, now: number): Promise<void> =>
  db.transaction().execute(async trx => {
    if (engine === 'postgres') {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
      // Requests of other bridges wait behind a migration that waits for a table.
      await sql.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`).execute(trx);
    }
    await sql
      .raw('create table if not exists schema_migrations (name text primary key, applied_at bigint not null)')
      .execute(trx);
    const applied = await readAppliedMigrations(trx);
    rejectNewerDatabase(applied);
    for (const { name, up } of migrations) {
      if (applied.has(name)) continue;
      await up({ db: trx, engine, now });
      await sql`insert into schema_migrations (name, applied_at) values (${name}, ${now})`.execute(trx);
    }
  });

/**
 * Applies missing migrations in one transaction, so that a failure leaves the database unchanged. Starts over when
 * bridges that are running hold the tables.
 */
export const migrateDatabase = async (db: Kysely<unknown>, engine: DatabaseEngine, now: number): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyMigrations(db, engine, now);
    } catch (error) {
      if (!isTransientDatabaseError(error) || attempt === MIGRATION_ATTEMPTS) throw error;
      await delay(MIGRATION_RETRY_MS);
    }
  }
};
