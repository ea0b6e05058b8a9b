import { sql } from 'kysely';
import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** Addresses that alert rules may send to. Those of existing rules count as confirmed. */
export const addAlertAddresses = async (context: MigrationContext): Promise<void> => {
  const { db, now } = context;
  await createTable(
    context,
    'alert_addresses',
    {
      organization_id: 'text',
      email: 'text',
      token_hash: 'text',
      sent_at: 'int',
      expires_at: 'int',
      confirmed_at: 'int?',
    },
    'organization_id, email',
  );
  await createIndex(context, 'alert_addresses_by_token', 'alert_addresses (token_hash)', { where: "token_hash <> ''" });
  const { rows } = await sql<{ organization_id: string; emails: string }>`select organization_id, emails
    from alert_rules where is_deleted = 0`.execute(db);
  for (const { organization_id, emails } of rows)
    for (const email of JSON.parse(emails) as string[])
      await sql`insert into alert_addresses (organization_id, email, token_hash, sent_at, expires_at, confirmed_at)
        values (${organization_id}, ${email.trim().toLowerCase()}, '', 0, 0, ${now}) on conflict do nothing`.execute(
        db,
      );
};
