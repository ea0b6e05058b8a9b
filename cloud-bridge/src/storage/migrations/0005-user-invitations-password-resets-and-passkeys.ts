import { sql } from 'kysely';
import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** Adds invitations, password resets, passkeys and the verification of email addresses. */
export const createUserTables = async (context: MigrationContext): Promise<void> => {
  const { db, engine } = context;
  const [text, int] = engine === 'sqlite' ? ['text', 'integer'] : ['text collate "C"', 'bigint'];
  await sql.raw(`alter table users add column verified_at ${int}`).execute(db);
  // Only the operator's accounts are known to belong to their address. Others got their password from an inviter.
  await sql.raw('update users set verified_at = created_at where id in (select object_id from seed_keys)').execute(db);
  await sql.raw(`alter table sessions add column ip_address ${text}`).execute(db);
  await sql.raw(`alter table sessions add column user_agent ${text}`).execute(db);
  await createTable(
    context,
    'user_invitations',
    {
      organization_id: 'text',
      user_id: 'text',
      email: 'text',
      name: 'text',
      token_hash: 'text',
      created_at: 'int',
      expires_at: 'int',
    },
    'organization_id, user_id',
  );
  await createIndex(context, 'user_invitations_by_token', 'user_invitations (token_hash)', { unique: true });
  await createIndex(context, 'user_invitations_by_email', 'user_invitations (organization_id, email)', {
    unique: true,
  });
  await createTable(
    context,
    'password_resets',
    { token_hash: 'text', user_id: 'text?', created_at: 'int', expires_at: 'int' },
    'token_hash',
  );
  await createIndex(context, 'password_resets_by_user', 'password_resets (user_id)');
  await createIndex(context, 'password_resets_by_expiry', 'password_resets (expires_at)');
  await createTable(
    context,
    'passkeys',
    {
      id: 'text',
      user_id: 'text',
      name: 'text',
      public_key: 'text',
      counter: 'int',
      transports: 'text',
      created_at: 'int',
      used_at: 'int?',
    },
    'id',
  );
  await createIndex(context, 'passkeys_by_user', 'passkeys (user_id)');
  await createTable(context, 'used_passkey_challenges', { challenge: 'text', expires_at: 'int' }, 'challenge');
};
