import { createIndex, type MigrationContext } from './table-builder.ts';

/** The audit log: events that users caused, which are rare among those of doors, newest first. */
export const createAuditLogIndex = async (context: MigrationContext): Promise<void> => {
  await createIndex(context, 'events_of_users', 'events (organization_id, created_at, id)', {
    where: 'subject_user_id is not null',
  });
};
