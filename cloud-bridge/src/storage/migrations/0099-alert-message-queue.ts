import { createIndex, type MigrationContext } from './table-builder.ts';

/** Finds the next message of an organization without reading all that wait. */
export const addAlertMessageQueueIndex = async (context: MigrationContext): Promise<void> => {
  await createIndex(context, 'alert_messages_queue', 'alert_messages (organization_id, channel, is_test, id)', {
    where: "status = 'pending'",
  });
};
