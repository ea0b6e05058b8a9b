import { createTable, type MigrationContext } from './table-builder.ts';

/** Where the technician's page of a controller is on the network of its site, by its own word. */
export const technicianPages = (context: MigrationContext): Promise<void> =>
  createTable(
    context,
    'technician_pages',
    { device_id: 'text', organization_id: 'text', name: 'text', url: 'text', address: 'text', fingerprint: 'text' },
    'device_id',
  );
