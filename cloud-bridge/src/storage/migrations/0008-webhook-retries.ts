import { sql } from 'kysely';
import { createIndex, type MigrationContext } from './table-builder.ts';

/** Adds a retry schedule for each event, the health of receivers, and notes in the delivery log. */
export const addWebhookRetryColumns = async (context: MigrationContext): Promise<void> => {
  const { db, engine } = context;
  const [text, int, flag] =
    engine === 'sqlite' ? ['text', 'integer', 'integer'] : ['text collate "C"', 'bigint', 'smallint'];
  for (const column of [
    `webhooks add column failing_since ${int}`,
    `webhook_deliveries add column note ${text}`,
    `webhook_deliveries add column awaits_receiver ${flag} not null default 0`,
    `webhook_lanes add column failed_deliveries ${text} not null default '[]'`,
    `webhook_lanes add column backoffs ${int} not null default 0`,
    `webhook_lanes add column resume_at ${int} not null default 0`,
  ]) {
    await sql.raw(`alter table ${column}`).execute(db);
  }
  const table = 'webhook_deliveries';
  const pending = { where: "status = 'pending'" };
  await sql.raw('drop index webhook_deliveries_to_do').execute(db);
  await createIndex(
    context,
    'webhook_deliveries_by_position',
    `${table} (webhook_id, position, next_attempt_at)`,
    pending,
  );
  await createIndex(context, 'webhook_deliveries_by_attempt', `${table} (webhook_id, next_attempt_at)`, pending);
};
