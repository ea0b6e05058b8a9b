import { createTable, type MigrationContext } from './table-builder.ts';

/** The key includes the organization, because organizations may use the same id for different boards. */
export const createOrganizationProductsTable = (context: MigrationContext): Promise<void> =>
  createTable(
    context,
    'organization_products',
    { organization_id: 'text', id: 'text', name: 'text', revision_id: 'text', capabilities: 'text' },
    'organization_id, id',
  );
