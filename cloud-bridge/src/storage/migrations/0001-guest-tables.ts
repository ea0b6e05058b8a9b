import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** Guest sessions, from a magic link or an email code. */
export const createGuestTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'guest_sessions',
    {
      hash: 'text',
      member_id: 'text',
      organization_id: 'text',
      member_magic_link_id: 'text?',
      member_email_id: 'text?',
      created_at: 'int',
      expires_at: 'int',
    },
    'hash, member_id',
  );
  await createIndex(context, 'guest_sessions_by_expiry', 'guest_sessions (expires_at)');
  await createTable(
    context,
    'guest_codes',
    { hash: 'text', email: 'text', blind: 'text', tries_left: 'int', expires_at: 'int' },
    'hash',
  );
  await createIndex(context, 'guest_codes_by_expiry', 'guest_codes (expires_at)');
  // A guest login does not name an organization.
  await createIndex(context, 'member_emails_by_address', 'member_emails (lower(email))');
};
