import { eventIndexConditions } from '../partial-event-index-conditions.ts';
import { createIndex, type MigrationContext } from './table-builder.ts';

/** For the filters of the activity: by verb, denials by door and by reason, states of doors. */
export const createRareEventIndexes = async (context: MigrationContext): Promise<void> => {
  const { notUse, denied, state } = eventIndexConditions;
  const create = (name: string, columns: string, where: string) =>
    createIndex(context, name, `events (organization_id, ${columns})`, { where });
  await create('events_by_rare_verb', 'verb, created_at, id', notUse);
  await create('denials_by_gadget', 'object_gadget_id, created_at, id', denied);
  await create('denials_by_reason', 'reason, created_at, id', denied);
  await create('events_of_states', 'created_at, id', state);
};
