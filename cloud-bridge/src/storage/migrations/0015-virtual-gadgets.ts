import { sql } from 'kysely';
import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/**
 * The state machines of virtual gadgets, which any bridge continues after a restart. Devices without a battery no longer
 * have a charge of 0.
 */
export const createVirtualGadgetsTable = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'virtual_gadgets',
    {
      gadget_id: 'text',
      organization_id: 'text',
      machine: 'text?',
      due_at: 'int?',
      chain_depth: 'int',
      chain_until: 'int',
    },
    'gadget_id',
  );
  await createIndex(context, 'virtual_gadgets_by_due', 'virtual_gadgets (due_at)', { where: 'due_at is not null' });
  await sql
    .raw(
      `update devices set status = replace(status, ',"battery_percent":0', '')
        where status like '%"battery_present":false,"battery_charging":false,"battery_percent":0%'`,
    )
    .execute(context.db);
};
