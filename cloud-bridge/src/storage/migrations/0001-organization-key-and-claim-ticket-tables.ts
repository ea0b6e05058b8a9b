import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** Organization keys and the claim tickets signed with them. */
export const createClaimTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'organization_keys',
    {
      organization_id: 'text',
      public_key: 'text',
      sealed_private_key: 'text',
      created_at: 'int',
      revoke_counter: 'int',
    },
    'organization_id',
  );
  await createTable(
    context,
    'claim_tickets',
    {
      id: 'text',
      organization_id: 'text',
      site_id: 'text',
      device_id: 'text?',
      code_hash: 'text',
      created_at: 'int',
      expires_at: 'int',
      redeemed_at: 'int?',
      revoked_at: 'int?',
    },
    'id',
  );
  await createIndex(context, 'claim_tickets_by_organization', 'claim_tickets (organization_id, id)');
  await createIndex(context, 'claim_tickets_by_code', 'claim_tickets (code_hash)', { unique: true });
};
