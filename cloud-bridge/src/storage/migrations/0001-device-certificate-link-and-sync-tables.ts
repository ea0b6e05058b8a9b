import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** Certificates, connection state and sync state of controllers. */
export const createDeviceSyncTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'device_certificates',
    {
      serial: 'text',
      device_id: 'text',
      organization_id: 'text',
      public_key: 'text',
      certificate: 'text',
      hardware_id: 'text',
      claim_ticket_id: 'text?',
      created_at: 'int',
      expires_at: 'int',
      revoked_at: 'int?',
      down_counter: 'int',
    },
    'serial',
  );
  await createIndex(context, 'device_certificates_by_device', 'device_certificates (device_id, created_at)');
  await createIndex(context, 'device_certificates_by_ticket', 'device_certificates (claim_ticket_id)', {
    where: 'claim_ticket_id is not null',
  });
  await createTable(
    context,
    'device_links',
    {
      device_id: 'text',
      organization_id: 'text',
      digest_key_id: 'text',
      sealed_digest_key: 'text',
      serial: 'text',
      session_nonce: 'text?',
      seen_at: 'int?',
      firmware: 'text?',
      event_sequence: 'int',
    },
    'device_id',
  );
  await createIndex(context, 'device_links_by_organization', 'device_links (organization_id)');
  await createTable(
    context,
    'device_sync',
    {
      device_id: 'text',
      organization_id: 'text',
      revision: 'int',
      digest: 'text',
      digest_key_id: 'text',
      scope: 'text',
      served_at: 'int',
    },
    'device_id',
  );
  await createTable(
    context,
    'rule_conflicts',
    {
      id: 'text',
      device_id: 'text',
      organization_id: 'text',
      edited_at: 'int',
      base_revision: 'int?',
      pass_id: 'text?',
      input_rules: 'text',
      recorded_at: 'int',
    },
    'id',
  );
  await createIndex(context, 'rule_conflicts_by_device', 'rule_conflicts (device_id, recorded_at)');
  await createTable(context, 'change_horizons', { organization_id: 'text', revision: 'int' }, 'organization_id');
  await createIndex(context, 'access_changes_by_time', 'access_changes (changed_at)');
};
