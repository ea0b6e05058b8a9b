import { eventIndexConditions } from '../partial-event-index-conditions.ts';
import { createIndex, type MigrationContext } from './table-builder.ts';

/** The audit log: events that users and applications caused, newest first. */
export const createAccountEventsIndex = async (context: MigrationContext): Promise<void> => {
  await createIndex(context, 'events_of_accounts', 'events (organization_id, created_at, id)', {
    where: eventIndexConditions.ofAccounts,
  });
};
