import { createTable, type MigrationContext } from './table-builder.ts';

/** Local addresses of technician pages, as reported by controllers. */
export const createTechnicianPagesTable = (context: MigrationContext): Promise<void> =>
  createTable(
    context,
    'technician_pages',
    { device_id: 'text', organization_id: 'text', name: 'text', url: 'text', address: 'text', fingerprint: 'text' },
    'device_id',
  );
