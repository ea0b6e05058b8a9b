import { eventIndexConditions } from '../partial-event-index-conditions.ts';
import { createIndex, type MigrationContext } from './table-builder.ts';

/** The audit log: events that users and applications caused, newest first, and the changes of groups and doors. */
export const createAccountEventsIndex = async (context: MigrationContext): Promise<void> => {
  const create = (name: string, columns: string, where: string) =>
    createIndex(context, name, `events (organization_id, ${columns})`, { where });
  await create('events_of_accounts', 'created_at, id', eventIndexConditions.ofAccounts);
  await create('events_of_groups', 'object_member_group_id, created_at, id', 'object_member_group_id is not null');
  await create('changes_of_gadgets', 'object_gadget_id, created_at, id', "object_type = 'gadget'");
};
