import { createTable, type MigrationContext } from './table-builder.ts';

/** Two organizations may call different boards by one id: a product of one's own is known by both. */
export const organizationProducts = (context: MigrationContext): Promise<void> =>
  createTable(
    context,
    'organization_products',
    { organization_id: 'text', id: 'text', name: 'text', revision_id: 'text', capabilities: 'text' },
    'organization_id, id',
  );
