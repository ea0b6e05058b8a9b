import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** The state machines of virtual gadgets, which any bridge continues after a restart. */
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
};
